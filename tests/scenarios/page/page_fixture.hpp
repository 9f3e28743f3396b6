#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/scenarios/page/probe.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/journal_double.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage::test {

/// The label of a test, which names the case of the specification that it covers.
inline auto label(const char* name) {
  return boost::unit_test::label(name);
}

/// A clock that may be ahead of the clock of the actors' timers. Tests use it for the instant at
/// which something has expired but no timer has fired, and for work that outlasts its deadline.
class restless_clock : public scratchpage::clock {
public:
  explicit restless_clock(std::shared_ptr<const scratchpage::clock> of)
    : of_{std::move(of)} {}

  timestamp now() const override {
    ahead += step;
    return of_->now() + ahead + set_by;
  }

  timespan steady() const override { return now().time_since_epoch() - set_by; }

  mutable timespan ahead{};
  timespan step{};   ///< each reading advances `ahead` by this
  timespan set_by{}; ///< how far the wall clock was set; steady time ignores it

private:
  std::shared_ptr<const scratchpage::clock> of_;
};

/// A journal that keeps all events in memory. It fails once `left` is 0.
class faulty_journal : public journal_double {
public:
  caf::error append(std::span<const page_event> events) override {
    if (left == 0u)
      return fail(errc::internal, "", "a disk with room");
    if (left)
      --*left;
    batches.push_back(events.size());
    kept.insert(kept.end(), events.begin(), events.end());
    return {};
  }

  /// Whether the sequences are 1, 2, 3 and so on, without a gap.
  bool is_gapless() const {
    for (size_t i = 0; i < kept.size(); ++i)
      if (kept[i].sequence != i + 1)
        return false;
    return true;
  }

  std::optional<unsigned> left; ///< how many more calls succeed; all if empty
  std::vector<page_event> kept;
  std::vector<size_t> batches; ///< the number of events of each call
};

/// The members of `page_fixture` that must outlive its actors.
struct page_parts {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  std::shared_ptr<faulty_journal> journal = std::make_shared<faulty_journal>();
};

/// One page on virtual time without daemons. Tests change `setup`, and then call `start`.
struct page_fixture : page_parts, virtual_time {
  page_setup setup{default_config().page, default_config().weights, default_config().text,
    default_config().promotion};

  std::shared_ptr<restless_clock> page_clock = std::make_shared<restless_clock>(driver.clock());
  scratch_page_actor page;

  page_fixture();
  ~page_fixture();

  void start();
  scratch_page_actor start_page(std::string agent_id, page_setup with);

  // -- requests that must succeed ---------------------------------------------------

  observation_ptr add(observation_draft draft, const caller& by = as_daemon("planner"));
  observation_ptr get(const std::string& observation_id);
  query_result query(query_observations request);
  observation_ptr update(const std::string& observation_id, observation_changes changes,
    const caller& by = as_daemon("planner"));
  observation_ptr set_status(const std::string& observation_id, status to);
  void archive(const std::string& observation_id);
  void link(const std::string& goal_id, std::vector<std::string> ids);
  query_result archive_list(observation_filter filter = {});
  page_stats stats();

  // -- requests that may fail -------------------------------------------------------

  caf::expected<receipt> try_add(observation_draft draft, const caller& by = as_daemon("planner"));
  caf::expected<receipt> try_update(const std::string& observation_id, observation_changes changes,
    const caller& by = as_daemon("planner"));
  caf::expected<void> try_clear(std::vector<std::string> ids);

  // -- subscribers --------------------------------------------------------------------

  subscribe order_of(const probe& x, observation_filter filter = {},
    std::optional<uint64_t> from = {}, bool part_of_turns = true) const;
  probe new_probe(manner with = manner::acknowledge);
  probe watch_page(observation_filter filter = {}, std::optional<uint64_t> from = {},
    manner with = manner::acknowledge);

  /// Lets the probe acknowledge the batches that it holds back.
  void acknowledge(const probe& x);

  void end(const probe& x);

  // -- the trace ----------------------------------------------------------------------

  std::vector<trace_entry> traced(std::string_view operation, std::string_view status = {}) const;

  template <class T>
  static T value(caf::expected<T> x) {
    if (!x)
      BOOST_FAIL(describe(x.error()));
    if constexpr (!std::is_void_v<T>)
      return std::move(*x);
  }
};

// -- drafts, filters and queries ------------------------------------------------------

observation_draft draft(std::string type, std::string content, std::vector<std::string> tags = {});
observation_draft note(std::string content, std::vector<std::string> tags = {});
observation_draft lasting(double minutes, observation_draft x);
query_observations asking(
  observation_filter filter = {}, std::string text = {}, uint32_t limit = 1000);
observation_filter with_status(std::vector<status> any_of);

/// A filter that matches every observation on the page, resolved ones included.
observation_filter anything();

observation_filter with_tags(std::vector<std::string> all_of);
observation_filter with_types(std::vector<std::string> any_of);

/// The numbers in the ids of the observations, in order: "3 2 1".
std::string numbers(std::span<const observation_ptr> list);
std::string numbers(const query_result& x);

/// The id with the number, of the first day of virtual time: "obs_20251105_007" for 7.
std::string id(unsigned number);

std::string text_of(const observation& x);

/// Whether `x` is an error with the code `code` that names `field`.
template <class T>
boost::test_tools::assertion_result refused(
  const caf::expected<T>& x, errc code, std::string_view field) {
  boost::test_tools::assertion_result result{
    !x && code_of(x.error()) == code && field_of(x.error()) == field};
  if (!result)
    result.message() << (x ? "not refused" : describe(x.error())) << ", instead of "
                     << name_of(code) << " because of " << std::string{field};
  return result;
}

} // namespace scratchpage::test
