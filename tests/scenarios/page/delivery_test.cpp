#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Events and subscriptions (contract 5).

namespace scratchpage::test {

namespace {

using lines = std::vector<std::string>;

struct subscriptions : page_fixture {
  void add_notes(int count) {
    for (; count > 0; --count)
      add(note("x"));
  }

  auto told(const probe& x, const lines& expected) {
    auto got = x.lines();
    boost::test_tools::assertion_result result{got == expected};
    for (const auto& line : got)
      result.message() << " | " << line;
    return result;
  }
};

std::string sizes(const probe& x) {
  std::string result;
  for (auto size : x.log->batches)
    result.append(result.empty() ? "" : " ").append(std::to_string(size));
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(each_change_has_the_next_sequence, subscriptions) {
  setup.limits.max_observations = 3;
  start();
  auto watcher = watch_page();
  add(lasting(1, note("first")));
  add(note("second"));
  update(id(2), {.content = "changed"});
  advance(std::chrono::minutes{1});
  link("goal_1", {id(2)});
  add(note("third"));
  add(note("fourth"));
  add(note("fifth"));
  archive(id(5));
  BOOST_CHECK(
    told(watcher, {"1 added 1", "2 added 2", "3 updated 2", "4 expired 1", "5 linked 2",
                    "6 added 3", "7 added 4", "8 evicted 3", "9 added 5", "10 archived 5"}));
  BOOST_TEST(journal->is_gapless());
  BOOST_TEST(stats().sequence == 10u);
}

BOOST_FIXTURE_TEST_CASE(an_event_tells_all_about_its_change, subscriptions) {
  start();
  auto watcher = watch_page();
  auto x = add(note("x"), as_tool("timetable", "turn_1"));
  BOOST_REQUIRE(watcher.log->events.size() == 1u);
  const auto& event = watcher.log->events.front();
  BOOST_TEST(watcher.log->agents.front() == "tester");
  BOOST_TEST(event.turn_id == "turn_1");
  BOOST_CHECK(event.at == now());
  BOOST_TEST(event.cause == traced("add_observation").front().id);
  BOOST_TEST(text_of(*event.observation) == text_of(*x));
}

BOOST_FIXTURE_TEST_CASE(a_subscriber_hears_what_its_filter_matches, subscriptions) {
  start();
  auto wine = watch_page(with_tags({"wine"}));
  auto resolved = watch_page(with_status({status::resolved}));
  add(note("a wine", {"wine"}));
  add(note("a beer", {"beer"}));
  update(id(2), {.tags = std::vector<std::string>{"wine"}});
  set_status(id(1), status::resolved);
  archive(id(2));
  BOOST_CHECK(told(wine, {"1 added 1", "3 updated 2", "4 updated 1", "5 archived 2"}));
  BOOST_TEST(resolved.lines().front() == "4 updated 1");
}

BOOST_FIXTURE_TEST_CASE(the_next_batch_waits_for_the_answer_to_the_last, subscriptions) {
  start();
  auto slow = watch_page({}, {}, manner::hold_back);
  add_notes(3);
  BOOST_CHECK(told(slow, {"1 added 1"}));
  acknowledge(slow);
  BOOST_CHECK(told(slow, {"1 added 1", "2 added 2", "3 added 3"}));
  BOOST_TEST(sizes(slow) == "1 2");
  acknowledge(slow);
  add_notes(1);
  BOOST_TEST(sizes(slow) == "1 2 1");
  BOOST_TEST(slow.log->most_unanswered == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_batch_has_a_largest_size, subscriptions) {
  setup.limits.batch_size = 2;
  start();
  add_notes(5);
  auto late = watch_page({}, 0);
  BOOST_TEST(sizes(late) == "2 2 1");
  BOOST_CHECK(told(late, {"1 added 1", "2 added 2", "3 added 3", "4 added 4", "5 added 5"}));
}

BOOST_FIXTURE_TEST_CASE(
  a_subscriber_may_want_smaller_batches_and_gets_no_larger_ones, subscriptions) {
  setup.limits.batch_size = 3;
  start();
  add_notes(5);
  auto wanting = [&](uint64_t at_once) {
    auto x = new_probe();
    auto order = order_of(x, {}, 0);
    order.at_once = at_once;
    value(ask(page, std::move(order)));
    return sizes(x);
  };
  BOOST_TEST(wanting(0) == "3 2");
  BOOST_TEST(wanting(2) == "2 2 1");
  BOOST_TEST(wanting(1) == "1 1 1 1 1");
  BOOST_TEST(wanting(4) == "3 2");
}

BOOST_FIXTURE_TEST_CASE(a_slow_subscriber_costs_a_cursor_and_nothing_else, subscriptions) {
  setup.limits.log_capacity = 50;
  start();
  auto slow = watch_page({}, {}, manner::hold_back);
  auto quick = watch_page();
  for (unsigned i = 1; i <= 300; ++i) {
    add(note("x"));
    BOOST_REQUIRE(quick.log->events.size() == i);
    BOOST_REQUIRE(quick.log->events.back().sequence == i);
  }
  BOOST_TEST(slow.log->batches.size() == 1u);
  BOOST_TEST(slow.log->events.size() == 1u);
  BOOST_TEST(stats().subscribers == 2u);
  BOOST_TEST(stats().sequence == 300u);
  BOOST_TEST(stats().oldest_sequence == 251u); // the slow subscriber does not keep the log
}

BOOST_FIXTURE_TEST_CASE(an_error_brings_the_same_events_again, subscriptions) {
  start();
  auto broken = watch_page();
  auto neighbour = watch_page();
  broken.log->first = {manner::acknowledge, manner::refuse, manner::refuse};
  add_notes(3);
  BOOST_CHECK(told(broken, {"1 added 1", "2 added 2", "2 added 2", "2 added 2", "3 added 3"}));
  BOOST_CHECK(told(neighbour, {"1 added 1", "2 added 2", "3 added 3"}));
  BOOST_TEST(traced("deliver", "internal").size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(silence_brings_the_same_events_again, subscriptions) {
  start();
  auto silent = watch_page();
  silent.log->first = {manner::hold_back};
  add_notes(2);
  advance(std::chrono::seconds{29});
  BOOST_CHECK(told(silent, {"1 added 1"}));
  advance(std::chrono::seconds{1});
  BOOST_CHECK(told(silent, {"1 added 1", "1 added 1", "2 added 2"}));
  BOOST_TEST(traced("deliver", "deadline_exceeded").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(who_fails_again_and_again_is_dropped, subscriptions) {
  start();
  auto broken = watch_page({}, {}, manner::refuse);
  auto neighbour = watch_page();
  add_notes(1);
  BOOST_TEST(broken.log->batches.size() == setup.limits.delivery_attempts);
  BOOST_TEST(stats().subscribers == 1u);
  auto dropped = traced("drop_subscriber");
  BOOST_REQUIRE(dropped.size() == 1u);
  BOOST_TEST(dropped.front().source == "probe");
  add_notes(1);
  BOOST_TEST(broken.log->batches.size() == setup.limits.delivery_attempts);
  BOOST_CHECK(told(neighbour, {"1 added 1", "2 added 2"}));
}

BOOST_FIXTURE_TEST_CASE(who_is_silent_for_long_is_set_aside_until_it_answers, subscriptions) {
  start();
  auto slow = watch_page({}, {}, manner::hold_back);
  auto neighbour = watch_page();
  add_notes(1);
  advance(std::chrono::hours{1});
  BOOST_TEST(slow.log->batches.size() == setup.limits.delivery_attempts);
  BOOST_TEST(stats().subscribers == 2u);
  BOOST_TEST(traced("set_subscriber_aside").size() == 1u);
  auto states = value(ask(page, list_subscribers{as_daemon("probe")})).subscribers;
  BOOST_TEST(states.front().waiting_ms == in_milliseconds(std::chrono::hours{1}));
  add_notes(2);
  BOOST_CHECK(told(neighbour, {"1 added 1", "2 added 2", "3 added 3"}));
  slow.log->events.clear();
  slow.log->with = manner::acknowledge;
  BOOST_TEST(slow.log->unanswered == setup.limits.delivery_attempts);
  acknowledge(slow);
  BOOST_CHECK(told(slow, {"2 added 2", "3 added 3"}));
  BOOST_TEST(traced("take_subscriber_back").size() == 1u);
  add_notes(1);
  BOOST_CHECK(told(slow, {"2 added 2", "3 added 3", "4 added 4"}));
}

BOOST_FIXTURE_TEST_CASE(who_answers_after_its_log_is_gone_gets_the_state, subscriptions) {
  setup.limits.log_capacity = 2;
  start();
  auto slow = watch_page({}, {}, manner::hold_back);
  add_notes(1);
  advance(std::chrono::hours{1});
  add_notes(3);
  slow.log->events.clear();
  slow.log->with = manner::acknowledge;
  acknowledge(slow);
  BOOST_CHECK(
    told(slow, {"4 lagged 3", "4 current 1", "4 current 2", "4 current 3", "4 current 4"}));
}

BOOST_FIXTURE_TEST_CASE(who_is_set_aside_and_ends_is_gone, subscriptions) {
  start();
  auto silent = watch_page({}, {}, manner::hold_back);
  add_notes(1);
  advance(std::chrono::hours{1});
  BOOST_TEST(stats().subscribers == 1u);
  end(silent);
  BOOST_TEST(stats().subscribers == 0u);
}

BOOST_FIXTURE_TEST_CASE(who_is_set_aside_makes_room_for_others, subscriptions) {
  setup.limits.max_subscribers = 1;
  start();
  auto silent = watch_page({}, {}, manner::hold_back);
  auto late = new_probe();
  BOOST_CHECK(refused(ask(page, order_of(late)), errc::overloaded, "subscriber"));
  add_notes(1);
  advance(std::chrono::hours{1});
  value(ask(page, order_of(late)));
  BOOST_TEST(stats().subscribers == 1u);
  BOOST_TEST(traced("drop_subscriber").size() == 1u);
  acknowledge(silent); // its answer comes after it was dropped
  add_notes(1);
  BOOST_CHECK(told(late, {"2 added 2"}));
}

BOOST_FIXTURE_TEST_CASE(failures_of_different_batches_do_not_add_up, subscriptions) {
  setup.limits.delivery_attempts = 2;
  start();
  auto clumsy = watch_page();
  for (int i = 0; i < 5; ++i) {
    clumsy.log->first = {manner::refuse};
    add_notes(1);
  }
  BOOST_TEST(stats().subscribers == 1u);
  BOOST_TEST(clumsy.log->events.size() == 10u);
}

BOOST_FIXTURE_TEST_CASE(who_was_dropped_may_come_back_where_it_stopped, subscriptions) {
  start();
  auto broken = watch_page({}, {}, manner::refuse);
  add_notes(2);
  BOOST_TEST(stats().subscribers == 0u);
  broken.log->with = manner::acknowledge;
  broken.log->events.clear();
  value(ask(page, order_of(broken, {}, 0)));
  BOOST_CHECK(told(broken, {"1 added 1", "2 added 2"}));
}

BOOST_FIXTURE_TEST_CASE(a_subscriber_begins_where_it_asks_to, subscriptions) {
  start();
  add_notes(3);
  auto from_now = watch_page();
  auto from_one = watch_page({}, 1);
  auto from_last = watch_page({}, 3);
  auto from_start = watch_page({}, 0);
  add_notes(1);
  BOOST_CHECK(told(from_now, {"4 added 4"}));
  BOOST_CHECK(told(from_last, {"4 added 4"}));
  BOOST_CHECK(told(from_one, {"2 added 2", "3 added 3", "4 added 4"}));
  BOOST_CHECK(told(from_start, {"1 added 1", "2 added 2", "3 added 3", "4 added 4"}));
}

BOOST_FIXTURE_TEST_CASE(the_answer_tells_after_which_sequence_events_come, subscriptions) {
  start();
  add_notes(3);
  auto x = new_probe();
  BOOST_TEST(value(ask(page, order_of(x))) == 3u);
  BOOST_TEST(value(ask(page, order_of(x, {}, 1))) == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_sequence_that_is_yet_to_come_is_refused, subscriptions) {
  start();
  add_notes(3);
  auto x = new_probe();
  BOOST_CHECK(refused(ask(page, order_of(x, {}, 4)), errc::invalid_request, "from"));
  BOOST_TEST(stats().subscribers == 0u);
  BOOST_TEST(traced("subscribe", "invalid_request").size() == 1u);
  BOOST_TEST(traced("subscribe", "success").empty());
}

BOOST_FIXTURE_TEST_CASE(who_has_unsubscribed_hears_no_more, subscriptions) {
  start();
  auto leaving = watch_page();
  auto staying = watch_page();
  add_notes(1);
  value(ask(page, unsubscribe{as_daemon("probe"), leaving.handle}));
  value(ask(page, unsubscribe{as_daemon("probe"), leaving.handle})); // no error either
  add_notes(1);
  BOOST_CHECK(told(leaving, {"1 added 1"}));
  BOOST_CHECK(told(staying, {"1 added 1", "2 added 2"}));
  BOOST_TEST(stats().subscribers == 1u);
}

BOOST_FIXTURE_TEST_CASE(an_answer_after_unsubscribing_is_nobodys, subscriptions) {
  start();
  auto leaving = watch_page({}, {}, manner::hold_back);
  add_notes(2);
  value(ask(page, unsubscribe{as_daemon("probe"), leaving.handle}));
  acknowledge(leaving);
  BOOST_CHECK(told(leaving, {"1 added 1"}));
}

BOOST_FIXTURE_TEST_CASE(a_second_order_takes_the_place_of_the_first, subscriptions) {
  setup.limits.max_subscribers = 1;
  start();
  auto x = watch_page(with_tags({"wine"}));
  value(ask(page, order_of(x, with_tags({"beer"}))));
  add(note("a wine", {"wine"}));
  add(note("a beer", {"beer"}));
  BOOST_CHECK(told(x, {"2 added 2"}));
  BOOST_TEST(stats().subscribers == 1u);
}

BOOST_FIXTURE_TEST_CASE(so_many_may_subscribe_and_no_more, subscriptions) {
  setup.limits.max_subscribers = 2;
  start();
  watch_page();
  auto second = watch_page();
  auto third = new_probe();
  BOOST_CHECK(refused(ask(page, order_of(third)), errc::overloaded, "subscriber"));
  value(ask(page, unsubscribe{as_daemon("probe"), second.handle}));
  BOOST_TEST(static_cast<bool>(ask(page, order_of(third))));
}

namespace {

struct crowded : subscriptions {
  crowded() { setup.limits.max_subscribers_per_source = 3; }

  static caller from_outside(const std::string& name, bool is_claimed = false) {
    auto result = as_daemon(name);
    result.outside = true;
    result.claimed = is_claimed;
    return result;
  }

  auto subscribe_as(const caller& by, observation_filter filter = {},
    std::optional<uint64_t> from = {}, manner with = manner::acknowledge) {
    last = new_probe(with);
    auto order = order_of(last, std::move(filter), from, false);
    order.by = by;
    return ask(page, std::move(order));
  }

  /// A filter of about `bytes` bytes.
  static observation_filter filter_of(size_t bytes) {
    observation_filter result;
    while (bytes > result.owner.size() * 1'024)
      result.owner.push_back(std::string(1'020, 'x') + std::to_string(result.owner.size()));
    return result;
  }

  probe last;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(one_from_outside_cannot_take_all_places, crowded) {
  setup.limits.max_subscribers = 100;
  start();
  auto flood = from_outside("flood");
  for (auto i = 0; i < 3; ++i)
    value(subscribe_as(flood));
  BOOST_CHECK(refused(subscribe_as(flood), errc::overloaded, "subscriber"));
  value(subscribe_as(from_outside("other")));
  for (auto i = 0; i < 10; ++i) // in-process callers have no limit
    value(subscribe_as(as_daemon("flood")));
}

BOOST_FIXTURE_TEST_CASE(programs_without_a_token_share_their_places, crowded) {
  start();
  for (const auto* name : {"a", "b", "c"})
    value(subscribe_as(from_outside(name, true)));
  BOOST_CHECK(refused(subscribe_as(from_outside("d", true)), errc::overloaded, "subscriber"));
  value(subscribe_as(from_outside("a")));
}

BOOST_FIXTURE_TEST_CASE(one_that_is_set_aside_gives_way_to_its_own_principal, crowded) {
  start();
  auto flood = from_outside("flood");
  for (auto i = 0; i < 3; ++i)
    value(subscribe_as(flood, {}, {}, manner::hold_back));
  add_notes(1);
  advance(std::chrono::hours{1});
  value(subscribe_as(flood));
  BOOST_TEST(stats().subscribers == 3u);
}

BOOST_FIXTURE_TEST_CASE(what_filters_take_is_bounded_for_one_and_for_all, crowded) {
  setup.limits.filter_bytes = 400'000;
  start();
  auto subscribed = [&](const std::string& name) {
    return subscribe_as(from_outside(name), filter_of(60'000));
  };
  value(subscribed("a"));
  BOOST_CHECK(refused(subscribed("a"), errc::overloaded, "filter"));
  value(subscribe_as(from_outside("a"), with_tags({"wine"})));
  for (const auto* name : {"b", "c", "d", "e", "f"})
    value(subscribed(name));
  auto sixth = last;
  BOOST_CHECK(refused(subscribed("g"), errc::overloaded, "filter"));
  value(subscribe_as(as_daemon("g"), filter_of(60'000)));
  end(sixth);
  value(subscribed("g"));
}

BOOST_FIXTURE_TEST_CASE(a_second_order_needs_no_more_room_than_the_first, crowded) {
  setup.limits.filter_bytes = 400'000;
  setup.limits.max_subscribers_per_source = 1;
  start();
  value(subscribe_as(from_outside("a"), filter_of(60'000)));
  auto again = order_of(last, filter_of(61'000), {}, false);
  again.by = from_outside("a");
  value(ask(page, std::move(again)));
  BOOST_TEST(stats().subscribers == 1u);
}

BOOST_FIXTURE_TEST_CASE(looking_back_for_somebody_outside_ends_in_time, crowded) {
  setup.limits.query_deadline_ms = 0; // each step reads some entries nevertheless
  start();
  add_notes(200);
  value(subscribe_as(from_outside("slow"), with_tags({"wine"}), 0));
  add(note("a wine", {"wine"}));
  BOOST_CHECK(told(last, {"200 lagged 200", "201 added 201"}));
  value(subscribe_as(from_outside("quick"), with_tags({"wine"}), 180));
  BOOST_CHECK(told(last, {"201 added 201"}));
  value(subscribe_as(as_daemon("planner"), with_tags({"beer"}), 0));
  add(note("a beer", {"beer"}));
  BOOST_CHECK(told(last, {"202 added 202"}));
}

BOOST_FIXTURE_TEST_CASE(who_dies_is_forgotten, subscriptions) {
  start();
  auto idle = watch_page();
  auto busy = watch_page({}, {}, manner::hold_back);
  auto neighbour = watch_page();
  add_notes(1);
  end(idle);
  end(busy);
  BOOST_TEST(stats().subscribers == 1u);
  add_notes(1);
  BOOST_CHECK(told(neighbour, {"1 added 1", "2 added 2"}));
}

} // namespace scratchpage::test
