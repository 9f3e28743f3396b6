#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Eviction from a full page (contract 13: "10 000, then the least recently used of lowest priority
/// goes to the archive").

namespace scratchpage::test {

namespace {

struct small_page : page_fixture {
  small_page() { setup.limits.max_observations = 3; }

  /// Adds one second after the previous add, so that the archive shows the order of eviction.
  observation_ptr add(observation_draft x) {
    advance(std::chrono::seconds{1});
    return page_fixture::add(std::move(x));
  }

  std::string on_page() { return numbers(query(asking(anything()))); }
  std::string evicted() { return numbers(archive_list(with_status({status::evicted}))); }

  void close_goal(const std::string& goal_id) {
    value(ask(page, goal_closed{as_daemon("frontal_cortex"), goal_id}));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_page_holds_10_000_unless_told_otherwise, page_fixture, *label("SP_eviction")) {
  BOOST_TEST(setup.limits.max_observations == 10'000u);
}

BOOST_FIXTURE_TEST_CASE(
  the_least_recently_used_goes_and_everybody_is_told, small_page, *label("SP_eviction")) {
  start();
  for (auto* content : {"first", "second", "third"})
    add(note(content));
  get(id(1));
  auto watcher = watch_page();
  add(note("fourth"));
  BOOST_TEST(evicted() == "2");
  BOOST_TEST(on_page() == "4 3 1");
  BOOST_TEST(!get(id(2)));
  BOOST_TEST(stats().evicted == 1u);
  BOOST_TEST(stats().observations == 3u);
  const std::vector<std::string> told{"4 evicted 2", "5 added 4"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(traced("evict", "success").size() == 1u);
  BOOST_TEST(archive_list().observations.front()->content == "second");
}

BOOST_FIXTURE_TEST_CASE(
  the_lowest_priority_goes_first_however_recent, small_page, *label("SP_eviction")) {
  start();
  add(draft("reminder", "old, but it matters"));
  add(draft("tool_result", "matters least"));
  add(note("matters little"));
  add(draft("reminder", "new"));
  BOOST_TEST(evicted() == "2");
  add(draft("reminder", "newer"));
  BOOST_TEST(evicted() == "3 2");
  add(draft("reminder", "newest"));
  BOOST_TEST(evicted() == "1 3 2");
}

BOOST_FIXTURE_TEST_CASE(
  a_flood_of_a_tool_washes_away_nothing_of_others, small_page, *label("SP_eviction")) {
  setup.limits.max_observations = 6;
  start();
  auto by = [this](const caller& who, std::string content) {
    advance(std::chrono::seconds{1});
    return value(ask(page, add_observation{who, note(std::move(content))})).observation;
  };
  auto persons = by(as_user("ann"), "The key is below the mat");
  auto agents = by(as_daemon("planner"), "Ann is away");
  for (int i = 0; i < 50; ++i)
    by(as_tool("junk"), "Junk");
  BOOST_TEST(!!get(persons->observation_id));
  BOOST_TEST(!!get(agents->observation_id));
}

BOOST_FIXTURE_TEST_CASE(
  a_flood_under_many_names_washes_away_nothing_of_persons, small_page, *label("SP_eviction")) {
  setup.limits.max_observations = 6;
  start();
  auto by = [this](const caller& who, std::string content) {
    advance(std::chrono::seconds{1});
    return value(ask(page, add_observation{who, note(std::move(content))})).observation;
  };
  auto first = by(as_user("ann"), "The key is below the mat");
  auto second = by(as_user("ann"), "The cat is fed");
  for (int i = 0; i < 50; ++i)
    by(as_tool("junk" + std::to_string(i)), "Junk");
  BOOST_TEST(!!get(first->observation_id));
  BOOST_TEST(!!get(second->observation_id));
}

BOOST_FIXTURE_TEST_CASE(
  one_source_cannot_fill_a_page_with_what_is_never_evicted, small_page, *label("SP_eviction")) {
  setup.limits.max_observations = 100;
  setup.limits.max_protected_per_source = 3;
  start();
  auto siren = as_tool("siren");
  siren.outside = true;
  auto alarm = [&](const caller& who) {
    return ask(page, add_observation{who, draft("alert", "Fire")});
  };
  auto first = value(alarm(siren)).observation;
  alarm(siren);
  alarm(siren);
  auto refused = alarm(siren);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((code_of(refused.error()) == errc::overloaded));
  BOOST_TEST(field_of(refused.error()) == "type");
  auto other = as_tool("smoke_detector");
  other.outside = true;
  BOOST_TEST(bool{alarm(other)});
  BOOST_TEST(bool{ask(page, add_observation{siren, note("No fire")})});
  update_observation over{siren, first->observation_id, {.status = status::resolved}, {}};
  BOOST_REQUIRE(bool{ask(page, std::move(over))});
  BOOST_TEST(bool{alarm(siren)});
}

BOOST_FIXTURE_TEST_CASE(reading_and_changing_are_use, small_page, *label("SP_eviction")) {
  start();
  add(note("read alone"));
  add(note("changed"));
  add(note("found by a query", {"wine"}));
  add(note("let in"));
  BOOST_TEST(evicted() == "1"); // none was used: the oldest goes
  update(id(2), {.content = "changed indeed"});
  query(asking(with_tags({"wine"})));
  add(note("fifth"));
  BOOST_TEST(evicted() == "4 1");
  get(id(2));
  add(note("sixth"));
  BOOST_TEST(evicted() == "3 4 1");
}

BOOST_FIXTURE_TEST_CASE(
  what_is_resolved_goes_before_what_is_live, small_page, *label("SP_eviction")) {
  start();
  add(draft("tool_result", "first"));
  add(draft("reminder", "second"));
  add(note("third"));
  set_status(id(2), status::resolved);
  add(note("fourth"));
  BOOST_TEST(evicted() == "2");
}

BOOST_FIXTURE_TEST_CASE(
  confirmations_alerts_and_evidence_never_go, small_page, *label("SP_eviction")) {
  setup.limits.max_observations = 7;
  start();
  for (auto* type :
    {"pending_confirmation", "alert", "risk_alert", "security_alert", "error_alert"})
    add(draft(type, "protected"));
  add(draft("tool_result", "evidence"));
  link("goal_1", {id(6)});
  add(note("seventh"));
  add(note("eighth"));
  BOOST_TEST(evicted() == "7");
  add(draft("alert", "ninth"));
  BOOST_TEST(evicted() == "8 7");
  auto before = stats();
  auto watcher = watch_page();
  for (auto* type : {"observation", "alert"})
    BOOST_CHECK(refused(try_add(draft(type, "no room")), errc::overloaded, "max_observations"));
  BOOST_TEST(stats().sequence == before.sequence);
  BOOST_TEST(stats().evicted == 2u);
  BOOST_TEST(watcher.lines().empty());
  BOOST_TEST(traced("add_observation", "overloaded").size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(
  evidence_may_go_again_once_its_goal_is_closed, small_page, *label("SP_eviction")) {
  start();
  for (auto* content : {"first", "second", "third"})
    add(note(content));
  link("goal_1", {id(1), id(2)});
  link("goal_2", {id(2), id(3)});
  BOOST_CHECK(refused(try_add(note("x")), errc::overloaded, "max_observations"));
  close_goal("goal_1"); // 2 is still evidence for goal_2
  add(note("fourth"));
  BOOST_TEST(evicted() == "1");
  archive(id(4));
  add(draft("alert", "fifth"));
  BOOST_CHECK(refused(try_add(note("x")), errc::overloaded, "max_observations"));
  close_goal("goal_2");
  add(draft("alert", "sixth"));
  add(draft("alert", "seventh"));
  BOOST_TEST(evicted() == "3 2 1");
  BOOST_CHECK(refused(try_add(note("x")), errc::overloaded, "max_observations"));
}

BOOST_FIXTURE_TEST_CASE(
  an_alert_is_protected_whatever_becomes_of_goals, small_page, *label("SP_eviction")) {
  setup.limits.max_observations = 1;
  start();
  add(draft("alert", "x"));
  link("goal_1", {id(1)});
  close_goal("goal_1");
  close_goal("goal_9");
  BOOST_CHECK(refused(try_add(note("x")), errc::overloaded, "max_observations"));
}

BOOST_FIXTURE_TEST_CASE(
  evidence_for_an_open_goal_stays_though_it_is_resolved, small_page, *label("SP_eviction")) {
  start();
  for (auto* content : {"first", "second", "third"})
    add(note(content));
  link("goal_1", {id(1)});
  set_status(id(1), status::resolved);
  add(note("fourth"));
  BOOST_TEST(evicted() == "2");
  close_goal("goal_1");
  add(note("fifth"));
  BOOST_TEST(evicted() == "1 2");
}

BOOST_FIXTURE_TEST_CASE(
  what_has_expired_makes_room_before_anything_is_evicted, small_page, *label("SP_eviction")) {
  start();
  add(note("first"));
  add(lasting(1, note("second")));
  add(note("third"));
  auto watcher = watch_page();
  page_clock->ahead = std::chrono::minutes{1}; // no timer has fired
  add(note("fourth"));
  const std::vector<std::string> told{"4 expired 2", "5 added 4"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(stats().evicted == 0u);
}

BOOST_FIXTURE_TEST_CASE(storage_that_fails_evicts_nothing, small_page, *label("SP_eviction")) {
  start();
  for (auto* content : {"first", "second", "third"})
    add(note(content));
  journal->left = 0;
  BOOST_CHECK(refused(try_add(note("fourth")), errc::storage_unavailable, ""));
  BOOST_TEST(on_page() == "3 2 1");
  BOOST_TEST(stats().evicted == 0u);
  journal->left = 1; // either all writes succeed, or none
  auto stored = static_cast<bool>(try_add(note("fourth")));
  BOOST_TEST(stats().sequence == (stored ? 5u : 3u));
  BOOST_TEST(journal->is_gapless());
}

} // namespace scratchpage::test
