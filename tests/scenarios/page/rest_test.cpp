#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <tuple>

#include "scratchpage/tests/scenarios/page/twin_pages.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// What a page remembers through a rest: a page that rested between the operations gives the same
/// answers as one that did not.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

constexpr double two_weeks = 14 * 24 * 60; // in minutes
const caller meter = from_outside(as_tool("meter"));

observation_draft insight(std::string content) {
  auto x = draft("contextual_insight", std::move(content));
  x.confidence = 0.95;
  return x;
}

query_observations searching(std::string text, uint32_t limit, std::string cursor = {}) {
  auto x = asking({}, std::move(text), limit);
  x.cursor = std::move(cursor);
  return x;
}

struct rested_page : twin_pages {
  void archive_in_both(unsigned number) {
    both(archive_observation{as_daemon("planner"), id(number)});
  }
  void link_in_both(const std::string& goal, std::vector<std::string> ids) {
    both(link_observations{as_daemon("frontal_cortex"), goal, std::move(ids)});
  }
  void get_in_both(unsigned number) { both(get_observation{as_daemon("reader"), id(number)}); }
  void open_in_both(const std::string& turn, std::optional<caller> begun_by) {
    both(open_turn{as_daemon("turns", turn), std::move(begun_by)});
  }
  void close_in_both(const std::string& turn) { both(close_turn{as_daemon("turns", turn)}); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_page_that_rested_is_the_same_page, rested_page) {
  begin();
  add_to_both(note("first", {"wine"}));
  add_to_both(lasting(10, note("second")));
  add_to_both(draft("alert", "third"));
  change_both(1, {.content = "changed"});
  change_both(3, {.status = status::resolved});
  rest();
  compare_all();
  rest(1min);
  add_to_both(note("fourth"));
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(a_rest_begins_no_epoch, rested_page) {
  begin();
  add_to_both(note("first"));
  rest();
  rest();
  BOOST_TEST(check().stats.epoch == 1u);
  auto found = value(recover(*resting.kept, resting.owner, 0, 0, after_rest{}));
  BOOST_TEST(found.epochs.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(what_made_no_goal_is_not_offered_again_after_a_rest, rested_page) {
  begin();
  add_to_both(insight("Likes Burgundy"));
  BOOST_TEST(resting.offers->offered.size() == 1u);
  rest();
  BOOST_TEST(resting.offers->offered.size() == 1u);
  both(review_candidates{as_daemon("router")});
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(a_rest_leaves_no_trace, rested_page) {
  begin();
  add_to_both(insight("Likes Burgundy"));
  add_to_both(note("kept in scratch"));
  rest();
  BOOST_TEST(resting.trace->entries().size() == awake.trace->entries().size());
}

BOOST_FIXTURE_TEST_CASE(the_team_takes_up_its_work_again_without_a_trace, rested_page) {
  begin();
  auto join = [this](const stored_page& to) {
    auto listener = new_probe();
    auto order = order_of(listener);
    order.by = as_daemon("team");
    value(ask(to.page, std::move(order)));
    return listener;
  };
  auto always_there = join(awake);
  auto before = join(resting);
  add_to_both(note("first"));
  rest();
  auto after = join(resting);
  add_to_both(note("second"));
  auto told = before.lines();
  for (const auto& line : after.lines())
    told.push_back(line);
  BOOST_TEST(told == always_there.lines(), boost::test_tools::per_element());
  BOOST_TEST(resting.trace->entries().size() == awake.trace->entries().size());
  both(caf::get_atom_v);
}

BOOST_FIXTURE_TEST_CASE(candidates_that_were_put_back_are_offered_again_after_a_rest, rested_page) {
  setup.limits.max_reviewed = 1;
  awake.offers->again = resting.offers->again = {id(1), id(2), id(3)};
  begin();
  for (auto* content : {"Likes Burgundy", "Likes Barolo", "Likes Rioja"})
    add_to_both(insight(content));
  both(review_candidates{as_daemon("router")}); // the first one was tried twice
  link_in_both("goal_1", {id(2)});              // offered with the revision before this
  rest();
  for (int i = 0; i < 4; ++i)
    both(review_candidates{as_daemon("router")});
  archive_in_both(3);
  rest();
  both(review_candidates{as_daemon("router")});
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(numbers_go_on_without_a_gap_although_changes_may_be_lost, rested_page) {
  setup.durability.durability = durability::async;
  begin();
  add_to_both(note("first"));
  add_to_both(note("second"));
  advance(5ms);
  rest();
  auto third = value(add_to_both(note("third")));
  BOOST_TEST(third.observation->observation_id == id(3));
}

BOOST_FIXTURE_TEST_CASE(names_that_nobody_checked_have_one_share_after_a_rest, rested_page) {
  setup.limits.max_protected_per_source = 2;
  begin();
  for (auto* name : {"ann", "bob"})
    add_to_both(draft("alert", "Fire"), claimed(name));
  rest();
  auto third = add_to_both(draft("alert", "Fire"), claimed("cid"));
  BOOST_TEST(refused(third, errc::overloaded, "type"));
}

BOOST_FIXTURE_TEST_CASE(
  a_share_of_a_source_without_observations_is_known_after_a_rest, rested_page) {
  setup.limits.max_observations = 2;
  begin();
  add_to_both(note("n"), as_daemon("second")); // its share comes first
  add_to_both(note("n"), as_daemon("first"));
  archive_in_both(1);
  add_to_both(note("n"), as_daemon("second"));
  rest();
  add_to_both(note("n"), as_daemon("third")); // both shares have one, so that their order counts
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(who_began_a_turn_pays_for_its_alerts_after_a_rest, rested_page) {
  setup.limits.max_protected_per_source = 3;
  begin();
  open_in_both("t", meter);
  for (int i = 0; i < 2; ++i)
    add_to_both(draft("alert", "Fire"), as_daemon("executor", "t"));
  close_in_both("t");
  rest();
  add_to_both(draft("alert", "Fire"), meter);
  BOOST_TEST(refused(add_to_both(draft("alert", "Fire"), meter), errc::overloaded, "type"));
  change_both(1, {.status = status::resolved}, as_daemon("executor"));
  BOOST_TEST(!!add_to_both(draft("alert", "Fire"), meter));
}

BOOST_FIXTURE_TEST_CASE(also_for_alerts_that_come_late_from_a_closed_turn, rested_page) {
  setup.limits.max_protected_per_source = 1;
  begin();
  open_in_both("turn_20251105_001", meter);
  open_in_both("turn_20251105_002", {});
  close_in_both("turn_20251105_001");
  close_in_both("turn_20251105_002");
  rest();
  add_to_both(draft("alert", "Fire"), as_daemon("executor", "turn_20251105_002")); // nobody's
  add_to_both(draft("alert", "Fire"), as_daemon("executor", "turn_20251105_001"));
  BOOST_TEST(refused(add_to_both(draft("alert", "Fire"), meter), errc::overloaded, "type"));
}

BOOST_FIXTURE_TEST_CASE(an_alert_beyond_a_share_may_still_be_evicted_after_a_rest, rested_page) {
  setup.limits.max_protected_per_source = 1;
  setup.limits.max_observations = 2;
  begin();
  open_in_both("t", meter);
  for (int i = 0; i < 2; ++i)
    add_to_both(draft("alert", "Fire"), as_daemon("executor", "t"));
  close_in_both("t");
  rest();
  add_to_both(note("takes the place of the second alert"));
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(what_was_evidence_of_a_closed_goal_is_none_after_a_rest, rested_page) {
  setup.limits.max_observations = 2;
  begin();
  add_to_both(note("evidence"));
  add_to_both(note("evidence of a closed goal"));
  link_in_both("goal_1", {id(1)});
  link_in_both("goal_2", {id(2)});
  both(goal_closed{as_daemon("frontal_cortex"), "goal_2"});
  rest();
  add_to_both(note("third"));
  compare_all();
  both(goal_closed{as_daemon("frontal_cortex"), "goal_1"});
  rest();
  add_to_both(note("fourth"));
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(the_least_recently_used_goes_first_also_after_a_rest, rested_page) {
  setup.limits.max_observations = 6;
  begin();
  for (int i = 0; i < 3; ++i)
    add_to_both(note("n"));
  for (int i = 0; i < 3; ++i)
    add_to_both(draft("reminder", "r"));
  change_both(5, {.status = status::resolved});
  link_in_both("goal_1", {id(3)});
  get_in_both(1);
  get_in_both(4);
  rest();
  compare_all(); // uses all of them, newest first, in both
  get_in_both(2);
  rest();
  for (int i = 0; i < 4; ++i) {
    add_to_both(draft("alert", "a"));
    rest();
    compare_all();
  }
}

BOOST_FIXTURE_TEST_CASE(a_cursor_goes_on_after_a_rest, rested_page) {
  begin();
  for (auto* content : {"wine", "wine and tea", "wine and wine", "tea"})
    add_to_both(note(content));
  auto first = value(both(searching("wine", 1)));
  auto active = value(both(get_active_observations{as_daemon("reader"), 1, {}}));
  rest();
  add_to_both(note("wine"));
  auto second = value(both(searching("wine", 1, first.next_cursor)));
  rest();
  both(searching("wine", 1, second.next_cursor));
  both(get_active_observations{as_daemon("reader"), 2, active.next_cursor});
  both(searching("tea", 1)); // its cursor has the next id
}

BOOST_FIXTURE_TEST_CASE(orders_are_forgotten_in_the_same_order_after_a_rest, rested_page) {
  setup.limits.ranked_cursors = 2;
  begin();
  for (int i = 0; i < 3; ++i)
    add_to_both(note("wine"));
  auto first = value(both(searching("wine", 1))).next_cursor;
  auto second = value(both(searching("wine", 1))).next_cursor;
  both(searching("wine", 1, first)); // the second one was used less recently now
  rest();
  both(searching("wine", 1));
  both(searching("wine", 1, first));
  BOOST_TEST(refused(both(searching("wine", 1, second)), errc::invalid_request, "cursor"));
}

BOOST_FIXTURE_TEST_CASE(events_from_before_a_rest_can_still_be_had, rested_page) {
  begin();
  for (int i = 0; i < 10; ++i)
    add_to_both(note("n"));
  advance(1s); // the snapshot follows
  rest();
  compare_events(0);
  compare_events(7);
  add_to_both(note("n"));
  rest();
  compare_events(0);
  BOOST_TEST(value(both(caf::get_atom_v)).oldest_sequence == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_log_forgets_the_same_events_after_a_rest, rested_page) {
  setup.limits.log_bytes = 60'000;
  begin();
  for (int i = 0; i < 300; ++i) {
    add_to_both(lasting(1, note(std::string(200, 'x'))));
    if (i % 70 == 50) {
      advance(5s);
      rest();
      compare_all();
    }
  }
  BOOST_TEST(value(both(caf::get_atom_v)).oldest_sequence > 1u);
}

BOOST_FIXTURE_TEST_CASE(a_short_log_begins_at_the_same_event_after_a_rest, rested_page) {
  setup.limits.log_capacity = 5;
  begin();
  for (int i = 0; i < 20; ++i)
    add_to_both(note("n"));
  rest();
  compare_all();
  for (int i = 0; i < 3; ++i)
    add_to_both(note("n"));
  compare_all();
  compare_events(0); // a subscriber that is behind gets the present state
}

BOOST_FIXTURE_TEST_CASE(what_was_archived_lately_is_known_after_a_rest, rested_page) {
  begin();
  for (int i = 0; i < 3; ++i)
    add_to_both(lasting(i == 2 ? 1 : 60, note("n")));
  archive_in_both(1);
  advance(2min); // the third one expires
  rest();
  auto again = change_both(1, {.status = status::active});
  BOOST_TEST(refused(again, errc::invalid_transition, "status"));
  change_both(1, {.content = "too late"});
  change_both(3, {.status = status::active});
  change_both(7, {.status = status::active});
  BOOST_TEST(value(both(caf::get_atom_v)).archived == 2u);
  archive_in_both(2);
  rest();
  BOOST_TEST(value(both(caf::get_atom_v)).archived == 3u);
  both(purge_observations{as_daemon("housekeeping"), {id(1)}});
  compare_all();
  change_both(1, {.status = status::active});
}

BOOST_FIXTURE_TEST_CASE(who_wakes_late_ends_observations_at_their_time, rested_page) {
  begin();
  for (double minutes : {30.0, 10.0, 20.0, 10.0, 600.0})
    add_to_both(lasting(minutes, note("n")));
  rest(1h);
  compare_all();
  add_to_both(note("comes after all ends"));
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(however_many_they_are, rested_page) {
  setup.limits.expiry_chunk = 3;
  begin();
  for (int i = 0; i < 20; ++i)
    add_to_both(lasting(1 + i % 7, note("n")));
  rest(5min);
  compare_all();
  rest(1h);
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(a_deadline_wakes_a_page_as_if_it_had_been_awake, rested_page) {
  begin();
  add_to_both(lasting(10, note("short")));
  add_to_both(lasting(60, note("long")));
  fall_asleep();
  advance(10min);
  wake_up();
  compare_all();
  advance(50min);
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(a_page_looks_for_what_is_old_at_the_same_hour_after_a_rest, rested_page) {
  begin();
  add_to_both(lasting(two_weeks, note("first")));
  advance(25min);
  add_to_both(lasting(two_weeks, note("second")));
  rest(6 * 24h + 17min);
  rest(23h); // 18 minutes before the first one is seven days old
  for (int i = 0; i < 8; ++i) {
    advance(20min);
    compare_all();
  }
}

BOOST_FIXTURE_TEST_CASE(who_wakes_late_archives_at_the_hour_at_which_one_was_old, rested_page) {
  begin();
  add_to_both(lasting(two_weeks, note("archived after seven days")));
  add_to_both(lasting(7 * 24 * 60 + 30, note("expires before the page looks for old ones")));
  add_to_both(lasting(two_weeks, draft("alert", "never archived for its age")));
  advance(90min);
  add_to_both(lasting(two_weeks, note("archived an hour or two later")));
  rest(8 * 24h);
  compare_all();
  rest(8 * 24h);
  compare_all();
  add_to_both(lasting(two_weeks, note("the hours are counted from here on")));
  advance(8 * 24h);
  compare_all();
}

BOOST_FIXTURE_TEST_CASE(the_hours_are_not_counted_while_a_page_is_empty, rested_page) {
  begin();
  add_to_both(lasting(90, note("short")));
  rest(5h);
  compare_all();
  advance(10min);
  add_to_both(lasting(two_weeks, note("the hours are counted from here on")));
  rest(7 * 24h + 1min);
  for (int i = 0; i < 7; ++i) {
    advance(10min);
    compare_all();
  }
}

BOOST_FIXTURE_TEST_CASE(a_keepsake_of_another_history_is_not_used, rested_page) {
  begin();
  add_to_both(note("first"));
  fall_asleep();
  resting.owner = value(resting.kept->claim("tester")); // the agent was open elsewhere meanwhile
  wake_up();
  BOOST_TEST(check().stats.epoch == 2u);
  BOOST_TEST(numbers(value(ask(resting.page, asking()))) == "1");
}

BOOST_FIXTURE_TEST_CASE(
  a_page_that_ends_in_the_middle_of_its_work_leaves_no_keepsake, rested_page) {
  begin();
  value(ask(resting.page, open_turn{as_daemon("turns", "t"), {}}));
  auto before = resting.keeps->bytes();
  caf::anon_send_exit(resting.page, caf::exit_reason::user_shutdown);
  settle();
  BOOST_TEST(resting.keeps->bytes() == before);
}

} // namespace scratchpage::test
