#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include "scratchpage/tests/actors/page/pipeline_owner.hpp"

/// Random sequences of commits, saves and refusals. At every step the journal must have the
/// changes in the order in which they became visible, without a gap, and nothing else.

namespace scratchpage::test {

namespace {

constexpr uint64_t largest_commit = 3;

bool is_same(const page_event& a, const page_event& b) {
  return a.sequence == b.sequence && a.cause == b.cause && a.kind == b.kind
         && a.observation.get() == b.observation.get();
}

class history {
public:
  explicit history(const durability_config& with)
    : with_{with},
      page_{with} {}

  void step(uint64_t seed) {
    auto pick = seed / 16;
    switch (seed % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      add(1 + pick % largest_commit);
      break;
    case 5:
    case 6:
    case 7:
    case 8:
      page_.update(1 + pick % last_number_, ++last_operation_);
      break;
    case 9:
      page_.end_gathering();
      break;
    case 10:
      page_.end_rest();
      break;
    default:
      answer(pick % 3 == 0);
    }
    check();
  }

  /// Lets the journal save everything that is left.
  void finish() {
    while (!page_.pipeline.is_idle()) {
      page_.end_gathering();
      page_.end_rest();
      RC_ASSERT(page_.at_journal.has_value());
      page_.journal_saves();
      check();
    }
    auto kept = with_.durability == durability::none ? size_t{0} : page_.applied.size();
    RC_ASSERT(page_.saved.size() == kept);
    RC_ASSERT(page_.pipeline.staged() == 0u);
    RC_ASSERT(page_.pipeline.staged_growth() == 0);
    RC_ASSERT(applied_operations().size() + page_.refused.size() == last_operation_);
  }

private:
  void add(uint64_t count) {
    page_.commit(added(last_number_ + 1, count), ++last_operation_);
    last_number_ += count;
  }

  void answer(bool refuses) {
    if (!page_.at_journal)
      return;
    if (refuses)
      page_.journal_refuses();
    else
      page_.journal_saves();
  }

  void check() const {
    check_sequences();
    check_journal();
    check_order_of_updates();
    check_refused();
  }

  void check_sequences() const {
    for (size_t i = 0; i < page_.applied.size(); ++i)
      RC_ASSERT(page_.applied[i].sequence == i + 1);
    if (page_.at_journal) {
      RC_ASSERT(page_.at_journal->events->front().sequence == page_.saved.size() + 1);
      RC_ASSERT(page_.at_journal->events->size() <= std::max(with_.max_batch, largest_commit));
    }
  }

  /// The journal has the first of the visible changes, and the number of those that it lacks is
  /// bounded.
  void check_journal() const {
    RC_ASSERT(page_.saved.size() <= page_.applied.size());
    for (size_t i = 0; i < page_.saved.size(); ++i)
      RC_ASSERT(is_same(page_.saved[i], page_.applied[i]));
    auto unsaved = page_.applied.size() - page_.saved.size();
    if (with_.durability == durability::sync)
      RC_ASSERT(unsaved == 0u);
    if (with_.durability == durability::async)
      RC_ASSERT(unsaved < with_.async_changes + largest_commit);
  }

  /// Operations on one observation happen in the order of the requests.
  void check_order_of_updates() const {
    std::map<std::string, span_id> last;
    for (const auto& x : page_.applied)
      if (x.kind == event_kind::updated) {
        auto& before = last[x.observation->observation_id];
        RC_ASSERT(before < x.cause);
        before = x.cause;
      }
  }

  void check_refused() const {
    auto applied = applied_operations();
    for (auto operation : page_.refused)
      RC_ASSERT(!applied.contains(operation));
  }

  std::set<span_id> applied_operations() const {
    std::set<span_id> result;
    for (const auto& x : page_.applied)
      result.insert(x.cause);
    return result;
  }

  durability_config with_;
  pipeline_owner page_;
  uint64_t last_number_ = 8; // updates may name the first eight
  span_id last_operation_ = 0;
};

void check_histories(durability kind) {
  durability_config with;
  with.durability = kind;
  with.max_batch = *rc::gen::inRange<uint64_t>(0, 7);
  with.async_changes = *rc::gen::inRange<uint64_t>(1, 7);
  with.async_ms = *rc::gen::element(0.0, 5.0);
  auto steps = *rc::gen::resize(
    150, rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 1u << 20)));
  history h{with};
  for (auto x : steps)
    h.step(x);
  h.finish();
}

} // namespace

RC_BOOST_PROP(durable_changes_become_visible_as_the_journal_has_them, ()) {
  check_histories(durability::sync);
}

RC_BOOST_PROP(visible_changes_reach_the_journal_in_their_order, ()) {
  check_histories(durability::async);
}

RC_BOOST_PROP(changes_that_are_not_kept_have_sequences_without_a_gap, ()) {
  check_histories(durability::none);
}

} // namespace scratchpage::test
