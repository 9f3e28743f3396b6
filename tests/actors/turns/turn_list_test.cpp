#include <boost/test/unit_test.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// Lists of turns while a turn ends.

namespace scratchpage::test {

namespace {

/// A Frontal Cortex without goals.
class goalless_cortex {
public:
  using handle = frontal_cortex_actor;
  static constexpr const char* name = "goalless_cortex";

  explicit goalless_cortex(handle::pointer) {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>(
      [](const settle_goals&) -> caf::result<goal_list> { return goal_list{}; });
  }
};

/// An episodic memory that lists an episode at once but confirms it only later, as while its
/// commit takes a while.
class slow_memory {
public:
  using handle = episodic_memory_actor;
  static constexpr const char* name = "slow_memory";

  slow_memory(handle::pointer self, timespan takes)
    : self_{self},
      takes_{takes} {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>([this](const record_episode& x) { return record(x); },
      [this](const list_turns& x) -> caf::result<turn_list> {
        turn_list last;
        for (const auto& story : stories_.episodes)
          if (last.turns.size() < x.limit)
            last.turns.push_back(summary_of(story));
        last.next_before = goes_on_before;
        return last;
      });
  }

  static inline std::optional<timestamp> goes_on_before = {};

private:
  caf::result<void> record(const record_episode& x) {
    stories_.episodes.insert(stories_.episodes.begin(), x.episode);
    auto answer = self_->make_response_promise<void>();
    self_->run_delayed(takes_, [answer]() mutable { answer.deliver(); });
    return answer;
  }

  handle::pointer self_;
  timespan takes_;
  episode_list stories_; // the newest first
};

constexpr timespan commit_takes = std::chrono::seconds{1};

struct listed_turns : virtual_time {
  agent_context agent{"ada", clock, nullptr};
  scratch_page_actor page =
    make<scratch_page_state>(agent, page_setup{default_config().page, default_config().weights,
                                      default_config().text, default_config().promotion});
  turns_actor turns = make<turns_state>(agent, default_config().turns, uint64_t{0}, page,
    make<goalless_cortex>(), make<slow_memory>(commit_takes), std::make_shared<counter>());

  auto begin(std::string input) {
    begin_turn request;
    request.input = std::move(input);
    request.mode = turn_mode::parallel;
    auto turn = send(turns, std::move(request));
    settle();
    return turn;
  }

  /// The inputs of the listed turns; an ended turn has a full stop.
  std::vector<std::string> list(uint32_t limit = 20) {
    list_turns request;
    request.limit = limit;
    std::vector<std::string> result;
    for (const auto& x : require_value(ask(turns, request)).turns)
      result.push_back(x.input + (x.ended_at ? "." : ""));
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_list_that_ends_early_says_where_it_goes_on, listed_turns) {
  slow_memory::goes_on_before = now();
  begin("first");
  advance(commit_takes);
  list_turns request;
  BOOST_TEST((require_value(ask(turns, request)).next_before == slow_memory::goes_on_before));
  slow_memory::goes_on_before.reset();
  BOOST_TEST(!require_value(ask(turns, request)).next_before);
}

BOOST_FIXTURE_TEST_CASE(a_turn_whose_story_is_being_written_is_listed_once, listed_turns) {
  auto first = begin("first");
  BOOST_TEST(!first->arrived());
  BOOST_TEST(list() == std::vector<std::string>{"first."}, boost::test_tools::per_element());
  auto second = begin("second");
  BOOST_TEST(
    list() == (std::vector<std::string>{"second.", "first."}), boost::test_tools::per_element());
  BOOST_TEST(list(1).size() == 1u);
  advance(commit_takes);
  BOOST_TEST(first->arrived());
  BOOST_TEST(second->arrived());
  BOOST_TEST(
    list() == (std::vector<std::string>{"second.", "first."}), boost::test_tools::per_element());
}

} // namespace scratchpage::test
