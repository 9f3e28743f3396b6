#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/callers.hpp"

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

/// The number and the status of each observation: "1 active, 2 archived".
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
  auto waiting = send(page, await_quiet{by, quiet_stage::ended});
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

namespace {

/// A turn that Ann began. The ensemble and other programs add to it.
struct shared_turn : ending_turn {
  caller other = from_outside(as_daemon("other"));

  shared_turn() {
    start();
    auto ann = from_outside(as_user("ann"));
    value(ask(page, open_turn{as_user("ann", "t"), ann}));
  }

  /// A request of `who` to add `count` drafts to the turn.
  static add_observations drafts_for(const caller& who, const std::string& turn_id, size_t count) {
    auto one = note("Something");
    one.source = source{who.kind, who.name, turn_id, {}, {}};
    return {who, std::vector<observation_draft>(count, one)};
  }

  turn_so_far so_far() { return value(ask(page, read_turn{by})); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  what_a_turn_has_so_far_is_told_whatever_became_of_it_and_apart_from_others, shared_turn) {
  add_in_turn(draft("tool_result", "archived"));
  add_in_turn(lasting(1, note("expired")));
  value(ask(page, drafts_for(other, "t", 3)));
  archive(id(1));
  advance(std::chrono::minutes{1});
  auto found = so_far();
  BOOST_TEST(statuses(found.own) == "1 archived, 2 expired");
  BOOST_TEST(statuses(found.others) == "3 active, 4 active, 5 active");
  BOOST_TEST(found.left_out == 0u);
  close();
  BOOST_CHECK(refused(ask(page, read_turn{by}), errc::not_found, "turn_id"));
  BOOST_CHECK(refused(ask(page, read_turn{as_tool("gauge", "t")}), errc::forbidden, "by.role"));
}

BOOST_FIXTURE_TEST_CASE(
  nobody_outside_changes_or_archives_what_the_ensemble_put_into_an_open_turn, shared_turn) {
  add_in_turn(draft("tool_result", "Paid"));
  add_in_turn(draft("reminder", "Call Bob"));
  set_status(id(2), status::resolved);
  auto bob = from_outside(as_user("bob"));
  for (const auto& who : {other, bob}) {
    for (const auto& changes :
      {observation_changes{.ttl_minutes = 0}, observation_changes{.status = status::resolved},
        observation_changes{.status = status::archived}})
      BOOST_CHECK(refused(try_update(id(1), changes, who), errc::forbidden, "observation_id"));
    BOOST_CHECK(
      refused(ask(page, archive_observation{who, id(1)}), errc::forbidden, "observation_id"));
    BOOST_CHECK(
      refused(ask(page, clear_resolved{who, {id(2)}}), errc::forbidden, "observation_ids"));
  }
  auto ann = from_outside(as_user("ann"));
  BOOST_TEST(static_cast<bool>(try_update(id(1), {.status = status::resolved}, ann)));
  add_in_turn(draft("tool_result", "Paid again"));
  close();
  BOOST_TEST(static_cast<bool>(ask(page, archive_observation{other, id(3)})));
}

BOOST_FIXTURE_TEST_CASE(nobody_waits_with_drafts_for_a_turn_to_begin, shared_turn) {
  page_clock->step = std::chrono::milliseconds{1}; // adds the drafts in slices
  auto many = send(page, drafts_for(other, "u", 10));
  auto opened = send(page, open_turn{as_daemon("turns", "u")});
  settle();
  BOOST_REQUIRE(opened->arrived());
  BOOST_TEST(!many->arrived());
  page_clock->step = {};
  advance(std::chrono::seconds{1});
  BOOST_REQUIRE(many->arrived());
  auto outcomes = value(*many->value).outcomes;
  BOOST_TEST(outcomes.size() == 10u);
  for (const auto& x : outcomes)
    BOOST_TEST((code_of(x.error) == errc::not_found && field_of(x.error) == "turn_id"));
  BOOST_TEST(value(ask(page, close_turn{as_daemon("turns", "u")})).observations.empty());
}

BOOST_FIXTURE_TEST_CASE(whoever_has_not_begun_a_turn_adds_only_so_much, shared_turn) {
  value(ask(page, drafts_for(other, "t", 900)));
  auto outcomes =
    value(ask(page, drafts_for(from_outside(as_daemon("second")), "t", 200))).outcomes;
  auto refused = std::count_if(outcomes.begin(), outcomes.end(), [](const add_outcome& x) {
    return code_of(x.error) == errc::overloaded && field_of(x.error) == "turn_id";
  });
  BOOST_TEST(refused == 100);
  value(ask(page, drafts_for(from_outside(as_user("ann")), "t", 1))); // the turn is hers
  add_in_turn(note("the ensemble's"));
  BOOST_TEST(so_far().others.size() == 1'001u);
}

} // namespace scratchpage::test
