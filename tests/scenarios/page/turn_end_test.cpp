#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Closing a turn on the page (contract 2 and 7).

namespace scratchpage::test {

namespace {

const caller by = as_daemon("turns", "t");

struct ending_turn : page_fixture {
  void open() { value(ask(page, open_turn{by})); }

  observation_ptr add_in_turn(observation_draft x, std::string turn_id = "t") {
    return add(std::move(x), as_daemon("planner", std::move(turn_id)));
  }

  std::vector<observation_ptr> close() { return value(ask(page, close_turn{by})).observations; }
};

/// "1 active, 2 archived"
std::string statuses(const std::vector<observation_ptr>& list) {
  std::string result;
  for (const auto& x : list)
    result += (result.empty() ? "" : ", ") + number_of(*x) + " " + to_string(x->status);
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(
  closing_answers_every_observation_of_the_turn_in_its_last_form, ending_turn) {
  setup.limits.max_observations = 7;
  start();
  add_in_turn(note("before it was opened"));
  open();
  add_in_turn(draft("tool_result", "evicted"));
  add_in_turn(lasting(1, note("expired")));
  add_in_turn(note("archived"));
  add_in_turn(note("resolved"));
  add_in_turn(note("another turn's"), "other");
  add_in_turn(note("changed"));
  add_in_turn(note("one too many"));
  advance(std::chrono::minutes{1});
  archive(id(4));
  set_status(id(5), status::resolved);
  value(try_update(id(7), {.content = "changed by others"}, as_daemon("planner", "other")));
  link("goal_1", {id(8)});
  auto closed = close();
  BOOST_TEST(
    statuses(closed) == "2 evicted, 3 expired, 4 archived, 5 archived, 7 active, 8 active");
  BOOST_TEST(closed[4]->content == "changed by others");
  BOOST_TEST(closed[5]->linked_to_goal);
  BOOST_TEST(traced("close_turn").size() == 1u);
  BOOST_TEST(stats().open_turns == 0u);
}

BOOST_FIXTURE_TEST_CASE(what_is_resolved_is_archived_whichever_turn_it_is_of, ending_turn) {
  start();
  add_in_turn(note("first"), "earlier");
  add_in_turn(note("second"), "earlier");
  open();
  add_in_turn(note("third"));
  set_status(id(1), status::resolved);
  set_status(id(3), status::resolved);
  auto watcher = watch_page();
  BOOST_TEST(statuses(close()) == "3 archived");
  const std::vector<std::string> told{"6 archived 3", "7 archived 1"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(numbers(query(asking(anything()))) == "2");
}

BOOST_FIXTURE_TEST_CASE(what_is_resolved_stays_if_the_configuration_says_so, ending_turn) {
  setup.limits.auto_archive_resolved = false;
  start();
  open();
  add_in_turn(note("first"));
  set_status(id(1), status::resolved);
  BOOST_TEST(statuses(close()) == "1 resolved");
  BOOST_TEST(numbers(query(asking(with_status({status::resolved})))) == "1");
}

BOOST_FIXTURE_TEST_CASE(a_turn_without_observations_closes_with_none, ending_turn) {
  start();
  open();
  BOOST_TEST(stats().open_turns == 1u);
  BOOST_TEST(close().empty());
}

BOOST_FIXTURE_TEST_CASE(opening_twice_loses_nothing, ending_turn) {
  start();
  open();
  add_in_turn(note("first"));
  open();
  BOOST_TEST(statuses(close()) == "1 active");
}

BOOST_FIXTURE_TEST_CASE(turns_of_one_agent_are_kept_apart, ending_turn) {
  start();
  open();
  value(ask(page, open_turn{as_daemon("turns", "u")}));
  add_in_turn(note("first"), "u");
  add_in_turn(note("second"));
  add_in_turn(note("third"), "u");
  BOOST_TEST(statuses(close()) == "2 active");
  auto others = value(ask(page, close_turn{as_daemon("turns", "u")})).observations;
  BOOST_TEST(statuses(others) == "1 active, 3 active");
}

BOOST_FIXTURE_TEST_CASE(who_still_waits_is_told_that_the_turn_has_ended, ending_turn) {
  start();
  open();
  auto holder = make<worker_state>(page);
  value(ask(holder, hold_turn{as_daemon("executor", "t")}));
  auto waiting = virtual_time::start(page, await_quiet{by, quiet_stage::ended});
  settle();
  BOOST_TEST(!waiting->arrived());
  close();
  BOOST_REQUIRE(waiting->arrived());
  BOOST_CHECK(refused(*waiting->value, errc::deadline_exceeded, "turn_id"));
  BOOST_CHECK(
    refused(ask(holder, release_turn{as_daemon("executor", "t")}), errc::not_found, "turn_id"));
}

BOOST_FIXTURE_TEST_CASE(a_turn_closes_once, ending_turn) {
  start();
  open();
  close();
  BOOST_CHECK(refused(ask(page, close_turn{by}), errc::not_found, "by.turn_id"));
}

BOOST_FIXTURE_TEST_CASE(so_many_turns_may_be_open_on_a_page, ending_turn) {
  setup.limits.max_open_turns = 1;
  start();
  open();
  BOOST_CHECK(refused(ask(page, open_turn{as_daemon("turns", "u")}), errc::overloaded, "turn_id"));
  BOOST_TEST(traced("open_turn", "overloaded").size() == 1u);
  close();
  BOOST_TEST(static_cast<bool>(ask(page, open_turn{as_daemon("turns", "u")})));
}

} // namespace scratchpage::test
