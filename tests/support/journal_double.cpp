#include "scratchpage/tests/support/journal_double.hpp"

#include <utility>
#include <vector>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"

namespace scratchpage::test {

namespace {

struct double_state {
  using handle = journal_actor;
  static constexpr const char* name = "journal";

  double_state(handle::pointer, std::shared_ptr<journal_double> does)
    : as{std::move(does)} {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>(
      [this](const append_events& x) -> caf::result<void> {
        std::vector<page_event> events{x.events.begin(), x.events.end()};
        if (auto err = as->append(events))
          return err;
        return caf::unit;
      },
      [](const keep_documents&) -> caf::result<void> { return caf::unit; });
  }

  std::shared_ptr<journal_double> as;
};

} // namespace

journal_actor spawn_journal(caf::actor_system& sys, std::shared_ptr<journal_double> as) {
  return spawn<double_state>(sys, std::move(as));
}

} // namespace scratchpage::test
