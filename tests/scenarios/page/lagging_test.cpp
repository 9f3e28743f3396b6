#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// "One that falls behind what the page still holds gets one `lagged` event
/// with the count, then the current state, then goes on" (contract 5).

namespace scratchpage::test {

namespace {

using lines = std::vector<std::string>;

struct short_log : page_fixture {
  short_log() { setup.limits.log_capacity = 3; }

  void add_notes(int count) {
    for (; count > 0; --count)
      add(note("x"));
  }

  /// The events that the probe received since the last call, as lines.
  lines news(const probe& x) {
    auto result = x.lines();
    x.log->events.clear();
    return result;
  }

  auto told(const probe& x, const lines& expected) {
    auto got = news(x);
    boost::test_tools::assertion_result result{got == expected};
    for (const auto& line : got)
      result.message() << " | " << line;
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(who_falls_behind_gets_the_count_the_state_and_then_goes_on, short_log) {
  start();
  auto slow = watch_page({}, {}, manner::hold_back);
  add_notes(3);
  archive(id(2));
  add_notes(2);
  BOOST_CHECK(told(slow, {"1 added 1"}));
  slow.log->with = manner::acknowledge;
  acknowledge(slow);
  BOOST_CHECK(
    told(slow, {"6 lagged 5", "6 current 1", "6 current 3", "6 current 4", "6 current 5"}));
  add_notes(1);
  BOOST_CHECK(told(slow, {"7 added 6"}));
}

BOOST_FIXTURE_TEST_CASE(who_is_just_in_time_misses_nothing, short_log) {
  start();
  auto slow = watch_page({}, {}, manner::hold_back);
  add_notes(4);
  slow.log->with = manner::acknowledge;
  acknowledge(slow);
  BOOST_CHECK(told(slow, {"1 added 1", "2 added 2", "3 added 3", "4 added 4"}));
}

BOOST_FIXTURE_TEST_CASE(who_wanted_none_of_what_is_gone_has_missed_nothing, short_log) {
  start();
  auto idle = watch_page(with_tags({"wine"}));
  auto slow = watch_page(with_tags({"wine"}), {}, manner::hold_back);
  add(note("a wine", {"wine"}));
  add_notes(10);
  acknowledge(slow);
  add(note("another wine", {"wine"}));
  BOOST_CHECK(told(idle, {"1 added 1", "12 added 12"}));
  BOOST_CHECK(told(slow, {"1 added 1", "12 added 12"}));
}

BOOST_FIXTURE_TEST_CASE(who_asks_for_what_is_gone_lags_at_once, short_log) {
  start();
  add_notes(5);
  auto late = watch_page({}, 1);
  BOOST_CHECK(told(late,
    {"5 lagged 4", "5 current 1", "5 current 2", "5 current 3", "5 current 4", "5 current 5"}));
  auto in_time = watch_page({}, 2);
  BOOST_CHECK(told(in_time, {"3 added 3", "4 added 4", "5 added 5"}));
}

BOOST_FIXTURE_TEST_CASE(the_state_is_what_the_filter_matches, short_log) {
  start();
  add(note("a wine", {"wine"}));
  add(note("a beer", {"beer"}));
  add(note("another wine", {"wine"}));
  set_status(id(3), status::resolved);
  add_notes(2);
  auto wine = watch_page(with_tags({"wine"}), 0);
  BOOST_CHECK(told(wine, {"6 lagged 6", "6 current 1", "6 current 3"}));
  auto active_wine = with_tags({"wine"});
  active_wine.status = {status::active};
  BOOST_CHECK(told(watch_page(active_wine, 0), {"6 lagged 6", "6 current 1"}));
  BOOST_CHECK(told(watch_page(with_tags({"milk"}), 0), {"6 lagged 6"}));
}

BOOST_FIXTURE_TEST_CASE(the_state_is_what_one_of_several_filters_matches_each_once, short_log) {
  start();
  add(note("a wine", {"wine"}));
  add(note("a beer", {"beer"}));
  add(note("a wine in a beer", {"wine", "beer"}));
  add_notes(3);
  auto drinker = new_probe();
  auto order = order_of(drinker, with_tags({"beer"}), 0);
  order.or_filters = {with_tags({"wine"}), with_tags({"milk"})};
  value(ask(page, std::move(order)));
  BOOST_CHECK(told(drinker, {"6 lagged 6", "6 current 1", "6 current 2", "6 current 3"}));
}

BOOST_FIXTURE_TEST_CASE(others_have_their_turn_while_the_state_is_looked_for, short_log) {
  setup.limits.query_deadline_ms = 0; // each step checks about a thousand
  start();
  add_notes(3'000);
  update(id(2'900), {.confidence = 0.53});
  observation_filter sure;
  sure.min_confidence = 0.52; // the index cannot answer: each is checked
  auto late = watch_page(sure, 0);
  BOOST_CHECK(told(late, {"3001 lagged 3001"}));
  add_notes(1); // answered before the search ends
  advance(std::chrono::milliseconds{1});
  BOOST_CHECK(told(late, {"3001 current 2900"}));
  update(id(1), {.confidence = 0.9});
  BOOST_CHECK(told(late, {"3003 updated 1"}));
}

BOOST_FIXTURE_TEST_CASE(a_long_state_comes_in_batches_and_is_told_as_it_is_then, short_log) {
  setup.limits.batch_size = 3;
  start();
  for (auto ttl : {60, 60, 60, 1, 60, 60})
    add(lasting(ttl, note("x")));
  auto late = watch_page({}, 0, manner::hold_back);
  BOOST_CHECK(told(late, {"6 lagged 6", "6 current 1", "6 current 2"}));
  page_clock->ahead = std::chrono::minutes{1}; // 4 has expired
  update(id(5), {.content = "changed"});
  acknowledge(late);
  BOOST_REQUIRE(late.log->events.size() == 3u);
  BOOST_TEST(late.log->events[1].observation->content == "changed");
  BOOST_CHECK(told(late, {"6 current 3", "6 current 5", "6 current 6"}));
  acknowledge(late);
  BOOST_CHECK(told(late, {"7 updated 5"}));
}

BOOST_FIXTURE_TEST_CASE(
  what_leaves_comes_or_changes_meanwhile_is_told_once_and_as_it_is, short_log) {
  setup.limits.batch_size = 3;
  start();
  for (const auto* tag : {"wine", "wine", "beer", "wine", "wine", "wine"})
    add(note("x", {tag}));
  auto late = watch_page(with_tags({"wine"}), 0, manner::hold_back);
  BOOST_CHECK(told(late, {"6 lagged 6", "6 current 1", "6 current 2"}));
  archive(id(4));
  update(id(5), {.tags = std::vector<std::string>{"beer"}});
  add(note("new", {"wine"}));
  late.log->with = manner::acknowledge;
  acknowledge(late);
  BOOST_CHECK(told(late, {"6 current 6", "7 archived 4", "9 added 7"}));
}

BOOST_FIXTURE_TEST_CASE(a_batch_of_one_has_room_for_the_count_and_then_for_the_state, short_log) {
  setup.limits.batch_size = 1;
  start();
  add_notes(4);
  auto late = watch_page({}, 0);
  BOOST_CHECK(
    told(late, {"4 lagged 4", "4 current 1", "4 current 2", "4 current 3", "4 current 4"}));
  add_notes(1);
  BOOST_CHECK(told(late, {"5 added 5"}));
}

BOOST_FIXTURE_TEST_CASE(who_wants_small_batches_is_told_the_state_in_them, short_log) {
  start();
  add_notes(4);
  auto late = new_probe(manner::hold_back);
  auto order = order_of(late, {}, 0);
  order.at_once = 2;
  value(ask(page, std::move(order)));
  BOOST_CHECK(told(late, {"4 lagged 4", "4 current 1"}));
  acknowledge(late);
  BOOST_CHECK(told(late, {"4 current 2", "4 current 3"}));
  late.log->with = manner::acknowledge;
  acknowledge(late);
  BOOST_CHECK(told(late, {"4 current 4"}));
}

BOOST_FIXTURE_TEST_CASE(who_is_being_told_the_state_lags_by_what_is_left_of_it, short_log) {
  setup.limits.batch_size = 3;
  start();
  add_notes(6);
  auto late = watch_page({}, 0, manner::hold_back);
  auto lag = [&] {
    return value(ask(page, list_subscribers{as_daemon("top")})).subscribers.at(0).lag;
  };
  BOOST_TEST(lag() == 6u);
  acknowledge(late);
  BOOST_TEST(lag() == 4u);
  acknowledge(late);
  BOOST_TEST(lag() == 1u);
  late.log->with = manner::acknowledge;
  acknowledge(late);
  BOOST_TEST(lag() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_state_that_was_not_acknowledged_comes_again, short_log) {
  setup.limits.batch_size = 3;
  start();
  add_notes(5);
  auto x = new_probe();
  x.log->first = {manner::refuse, manner::acknowledge, manner::refuse};
  value(ask(page, order_of(x, {}, 0)));
  BOOST_CHECK(told(x, {"5 lagged 5", "5 current 1", "5 current 2",   //
                        "5 lagged 5", "5 current 1", "5 current 2",  //
                        "5 current 3", "5 current 4", "5 current 5", //
                        "5 current 3", "5 current 4", "5 current 5"}));
}

BOOST_FIXTURE_TEST_CASE(who_falls_behind_over_the_state_lags_again, short_log) {
  setup.limits.batch_size = 2;
  start();
  add_notes(4);
  auto slow = watch_page({}, 0, manner::hold_back);
  BOOST_CHECK(told(slow, {"4 lagged 4", "4 current 1"}));
  for (unsigned i = 1; i <= 4; ++i)
    archive(id(i));
  slow.log->with = manner::acknowledge;
  acknowledge(slow);
  BOOST_CHECK(told(slow, {"8 lagged 4"}));
  add_notes(1);
  BOOST_CHECK(told(slow, {"9 added 5"}));
}

} // namespace scratchpage::test
