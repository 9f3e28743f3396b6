#define BOOST_TEST_MODULE deadline_timer
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <vector>

#include "scratchpage/actors/page/deadline_timer.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// deadline_timer: when the page's timer has to fire.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

/// A clock that tests move by hand. `set_by` changes the wall time alone, as when a person sets
/// the clock.
class hand_clock : public clock {
public:
  timestamp now() const override { return at + set_by; }
  timespan steady() const override { return at.time_since_epoch(); }

  timestamp at{24h};
  timespan set_by{0};
};

struct timer_fixture {
  std::shared_ptr<hand_clock> clock = std::make_shared<hand_clock>();
  deadline_timer timer{clock};

  timestamp in(timespan x) const { return clock->now() + x; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(without_a_deadline_nothing_is_started, timer_fixture) {
  BOOST_TEST(!timer.arm(std::nullopt).has_value());
}

BOOST_FIXTURE_TEST_CASE(one_action_waits_for_the_earliest_deadline, timer_fixture) {
  auto first = timer.arm(in(5s));
  BOOST_REQUIRE(first.has_value());
  BOOST_CHECK(first->delay == timespan{5s});
  BOOST_TEST(!timer.arm(in(5s)).has_value());
  BOOST_TEST(!timer.arm(in(9s)).has_value());
  BOOST_TEST(timer.is_current(first->epoch));
}

BOOST_FIXTURE_TEST_CASE(an_earlier_deadline_takes_the_place_of_a_later_one, timer_fixture) {
  auto late = timer.arm(in(5s));
  auto early = timer.arm(in(2s));
  BOOST_REQUIRE(late.has_value());
  BOOST_REQUIRE(early.has_value());
  BOOST_CHECK(early->delay == timespan{2s});
  BOOST_TEST(timer.is_current(early->epoch));
  BOOST_TEST(!timer.is_current(late->epoch));
}

BOOST_FIXTURE_TEST_CASE(after_an_action_the_next_one_is_started, timer_fixture) {
  auto first = timer.arm(in(5s));
  BOOST_REQUIRE(first.has_value());
  clock->at += 5s;
  BOOST_TEST(timer.is_current(first->epoch));
  auto second = timer.arm(in(7s));
  BOOST_REQUIRE(second.has_value());
  BOOST_CHECK(second->delay == timespan{7s});
  BOOST_TEST(second->epoch != first->epoch);
}

BOOST_FIXTURE_TEST_CASE(
  an_action_of_a_former_epoch_does_not_disturb_the_current_one, timer_fixture) {
  auto late = timer.arm(in(5s));
  auto early = timer.arm(in(2s));
  BOOST_REQUIRE(late.has_value());
  BOOST_REQUIRE(early.has_value());
  BOOST_TEST(!timer.is_current(late->epoch));
  BOOST_TEST(!timer.arm(in(2s)).has_value());
}

BOOST_FIXTURE_TEST_CASE(
  a_deadline_that_has_passed_is_due_now_and_a_far_one_is_looked_at_each_hour, timer_fixture) {
  auto far = timer.arm(in(48h));
  BOOST_REQUIRE(far.has_value());
  BOOST_CHECK(far->delay == timespan{1h});
  auto past = timer.arm(in(-3s));
  BOOST_REQUIRE(past.has_value());
  BOOST_CHECK(past->delay == timespan{0});
}

// -- overdue ends ---------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(ends_that_were_put_off_are_offered_again_after_a_pause, timer_fixture) {
  timer.put_off({7, 8});
  timer.put_off({9});
  BOOST_TEST(timer.take_overdue().empty());
  auto next = timer.arm(std::nullopt);
  BOOST_REQUIRE(next.has_value());
  BOOST_CHECK(next->delay == timespan{1s});
  clock->at += 1s;
  BOOST_TEST(
    timer.take_overdue() == (std::vector<uint64_t>{7, 8, 9}), boost::test_tools::per_element());
  BOOST_TEST(timer.take_overdue().empty());
}

BOOST_FIXTURE_TEST_CASE(the_pause_begins_anew_with_each_end_that_is_put_off, timer_fixture) {
  timer.put_off({7});
  clock->at += 900ms;
  timer.put_off({8});
  clock->at += 900ms;
  BOOST_TEST(timer.take_overdue().empty());
  clock->at += 100ms;
  BOOST_TEST(timer.take_overdue().size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(the_end_of_the_pause_counts_only_if_it_is_the_earliest, timer_fixture) {
  timer.put_off({7});
  auto next = timer.arm(in(300ms));
  BOOST_REQUIRE(next.has_value());
  BOOST_CHECK(next->delay == timespan{300ms});
}

BOOST_FIXTURE_TEST_CASE(a_pause_that_is_over_is_due_now, timer_fixture) {
  timer.put_off({7});
  clock->at += 10s;
  auto next = timer.arm(in(5s));
  BOOST_REQUIRE(next.has_value());
  BOOST_CHECK(next->delay == timespan{0});
}

// -- aging ----------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(one_action_at_a_time_looks_for_what_is_old, timer_fixture) {
  BOOST_TEST(timer.begin_aging());
  BOOST_TEST(!timer.begin_aging());
  timer.end_aging();
  BOOST_TEST(timer.begin_aging());
}

BOOST_FIXTURE_TEST_CASE(one_action_at_a_time_indexes_new_texts, timer_fixture) {
  BOOST_TEST(timer.begin_indexing());
  BOOST_TEST(!timer.begin_indexing());
  timer.end_indexing();
  BOOST_TEST(timer.begin_indexing());
}

BOOST_FIXTURE_TEST_CASE(another_timer_goes_on_at_the_same_hours, timer_fixture) {
  BOOST_TEST(!timer.aging_at().has_value());
  timer.begin_aging();
  auto first = clock->steady() + 1h;
  clock->at += 90min;
  deadline_timer other{clock};
  other.restore(timer.remembered());
  BOOST_TEST(!other.begin_aging());
  BOOST_CHECK(other.aging_at() == first);
  other.pass_aging();
  BOOST_CHECK(other.aging_at() == first + 1h);
}

BOOST_FIXTURE_TEST_CASE(another_timer_trusts_a_clock_that_is_set_forward_no_more, timer_fixture) {
  auto kept = timer.remembered();
  auto before = clock->now();
  clock->set_by = 365 * 24h;
  deadline_timer other{clock};
  other.restore(kept);
  BOOST_CHECK(other.age_time() == before + 1h);
}

BOOST_FIXTURE_TEST_CASE(new_texts_wait_while_others_do_but_not_for_ever, timer_fixture) {
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < deadline_timer::most_put_off; ++i)
      BOOST_TEST(!timer.is_time_to_index(true));
    BOOST_TEST(timer.is_time_to_index(true));
  }
}

BOOST_FIXTURE_TEST_CASE(new_texts_are_indexed_at_once_when_nobody_waits, timer_fixture) {
  BOOST_TEST(!timer.is_time_to_index(true));
  BOOST_TEST(timer.is_time_to_index(false));
  for (size_t i = 0; i < deadline_timer::most_put_off; ++i)
    BOOST_TEST(!timer.is_time_to_index(true)); // they are put off anew
}

BOOST_FIXTURE_TEST_CASE(a_clock_that_is_set_forward_makes_nothing_old, timer_fixture) {
  auto before = clock->now();
  clock->set_by = 365 * 24h;
  BOOST_CHECK(timer.age_time() == before + 1h);
  clock->at += 2h;
  BOOST_CHECK(timer.age_time() == before + 3h);
  clock->set_by = -1h;
  BOOST_CHECK(timer.age_time() == clock->now());
}

} // namespace scratchpage::test
