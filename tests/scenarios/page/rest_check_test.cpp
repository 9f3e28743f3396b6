#include <boost/test/unit_test.hpp>

#include <chrono>

#include "scratchpage/tests/scenarios/page/twin_pages.hpp"
#include "scratchpage/tests/support/contains.hpp"

/// Whether a page may rest, and when it changes next by itself.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

constexpr double thirty_days = 30 * 24 * 60; // in minutes

struct checked_page : twin_pages {
  /// Adds to the page that is asked, without the other one.
  void add(observation_draft x) {
    value(ask(resting.page, add_observation{as_daemon("planner"), std::move(x)}));
  }

  probe subscribe_as(const std::string& name, manner with = manner::acknowledge) {
    auto listener = new_probe(with);
    auto order = order_of(listener, {}, {}, false);
    order.by = as_daemon(name);
    value(ask(resting.page, std::move(order)));
    return listener;
  }

  bool may_rest() { return check().may_rest; }
  std::string why_not() { return check().why_not; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_page_without_work_may_rest, checked_page) {
  begin();
  BOOST_TEST(may_rest());
  add(note("first"));
  auto found = check();
  BOOST_TEST(found.may_rest);
  BOOST_TEST(found.why_not == "");
  BOOST_TEST(found.stats.sequence == 1u);
  BOOST_TEST(found.stats.observations == 1u);
  BOOST_TEST(found.log_after == 0u);
}

BOOST_FIXTURE_TEST_CASE(only_the_program_may_ask_whether_a_page_may_rest, checked_page) {
  begin();
  auto answer = ask(resting.page, rest_check{as_tool("gauge"), {}});
  BOOST_REQUIRE(!answer);
  BOOST_TEST(name_of(code_of(answer.error())) == name_of(errc::forbidden));
}

BOOST_FIXTURE_TEST_CASE(who_subscribes_from_outside_keeps_a_page_awake, checked_page) {
  begin();
  auto own = subscribe_as("team");
  BOOST_TEST(may_rest());
  auto other = subscribe_as("dashboard");
  BOOST_TEST(contains(why_not(), "'dashboard'"));
  end(other);
  BOOST_TEST(may_rest());
}

BOOST_FIXTURE_TEST_CASE(a_page_may_not_rest_before_its_team_has_acknowledged, checked_page) {
  begin();
  auto own = subscribe_as("team", manner::hold_back);
  BOOST_TEST(may_rest());
  add(note("news"));
  BOOST_TEST(contains(why_not(), "acknowledged"));
  acknowledge(own);
  BOOST_TEST(may_rest());
}

BOOST_FIXTURE_TEST_CASE(an_open_turn_keeps_a_page_awake, checked_page) {
  begin();
  value(ask(resting.page, open_turn{as_daemon("turns", "t"), {}}));
  BOOST_TEST(contains(why_not(), "turn"));
  value(ask(resting.page, close_turn{as_daemon("turns", "t")}));
  BOOST_TEST(may_rest());
}

BOOST_FIXTURE_TEST_CASE(changes_that_are_not_stored_yet_keep_a_page_awake, checked_page) {
  setup.durability.durability = durability::async;
  begin();
  add(note("stored at once"));
  add(note("gathers"));
  BOOST_TEST(contains(why_not(), "storage"));
  advance(5ms);
  BOOST_TEST(may_rest());
}

BOOST_FIXTURE_TEST_CASE(a_page_that_is_not_stored_never_rests, checked_page) {
  setup.durability.durability = durability::none;
  begin();
  BOOST_TEST(contains(why_not(), "stored"));
}

BOOST_FIXTURE_TEST_CASE(a_candidate_that_is_looked_at_keeps_a_page_awake, checked_page) {
  begin();
  resting.offers->hold_back = true;
  auto insight = draft("contextual_insight", "Likes Burgundy");
  insight.confidence = 0.95;
  add(insight);
  BOOST_REQUIRE(resting.offers->offered.size() == 1u);
  BOOST_TEST(contains(why_not(), "candidates"));
  advance(1min); // the page waits no longer for the offer
  BOOST_TEST(may_rest());
}

BOOST_FIXTURE_TEST_CASE(a_position_that_storage_refuses_keeps_a_page_awake, checked_page) {
  begin();
  auto listener = new_probe();
  auto order = order_of(listener, {}, {}, false);
  order.by = as_daemon("team");
  order.keep_as = "team";
  value(ask(resting.page, std::move(order)));
  BOOST_TEST(may_rest());
  std::ignore = resting.kept->claim("tester"); // from now on storage refuses this page's writes
  std::ignore = ask(resting.page, unsubscribe{as_daemon("team"), listener.handle});
  BOOST_TEST(contains(why_not(), "positions"));
}

BOOST_FIXTURE_TEST_CASE(
  the_next_deadline_is_that_of_the_observation_that_ends_first, checked_page) {
  begin();
  BOOST_TEST(!check().next_deadline.has_value());
  add(lasting(60, note("long")));
  BOOST_REQUIRE(check().next_deadline.has_value());
  BOOST_CHECK(*check().next_deadline == now() + 1h);
  add(lasting(10, note("short")));
  BOOST_CHECK(*check().next_deadline == now() + 10min);
}

BOOST_FIXTURE_TEST_CASE(the_next_deadline_is_also_the_hour_in_which_one_is_old, checked_page) {
  begin();
  add(lasting(thirty_days, draft("alert", "kept however old")));
  BOOST_REQUIRE(check().next_deadline.has_value());
  BOOST_CHECK(*check().next_deadline == now() + 30 * 24h);
  advance(30min);
  auto added = now();
  add(lasting(thirty_days, note("archived one day")));
  advance(2h);
  // The page has looked every hour since the alert came.
  BOOST_CHECK(*check().next_deadline == added + 7 * 24h + 30min);
  advance(7 * 24h - 2h + 29min);
  BOOST_TEST(check().stats.observations == 2u);
  advance(1min);
  BOOST_TEST(check().stats.observations == 1u);
}

} // namespace scratchpage::test
