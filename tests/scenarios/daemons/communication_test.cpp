#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

// -- scenario 3: from one daemon to another -------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  the_error_handler_hears_of_the_executors_alert_through_the_page, team, *label("DS_3")) {
  auto& tool_x = add_tool({.tool_id = "tool_x"});
  tool_x.faults = {{.fault = fault_kind::error, .on_attempt = 0, .error = "it broke"}};
  start();
  auto turn = say("Do X", {call("tool_x")});

  auto alerts = of_type("error_alert");
  BOOST_REQUIRE(alerts.size() == 1u);
  auto alert = alerts[0];
  BOOST_TEST(alert->source.name == "executor");
  BOOST_TEST(alert->content == "Tool 'tool_x' failed: it broke");
  BOOST_TEST(has_tag(alert, "error"));
  BOOST_TEST(has_tag(alert, "tool_x"));

  auto by = error_handler_in(turn.turn_id);
  auto asked = value(ask(host->page(), query_by(by, tagged({"error"}))));
  BOOST_TEST(text(asked.observations) == text(alerts));
  auto plans = of_type("recovery_plan");
  BOOST_REQUIRE(plans.size() == 1u);
  BOOST_TEST(plans[0]->source.name == "error_handler");
  BOOST_TEST(metadata(plans[0], "error_alert_id") == alert->observation_id);

  auto added = entries_about(*trace, "add_observation", alert->observation_id);
  BOOST_REQUIRE(added.size() == 1u);
  BOOST_TEST(added[0].source == "executor");
  auto queries = entries_of(*trace, "query_observations", "error_handler");
  BOOST_REQUIRE(queries.size() == 2u); // one by the daemon, one by this test
  BOOST_TEST(queries[0].parent == added[0].id);
  BOOST_TEST(queries[0].turn_id == turn.turn_id);
  auto answered = entries_about(*trace, "add_observation", plans[0]->observation_id);
  BOOST_REQUIRE(answered.size() == 1u);
  BOOST_TEST(answered[0].source == "error_handler");
  BOOST_TEST(is_caused_by(*trace, answered[0], added[0].id));
}

namespace {

observation_draft alert_of_tool_x() {
  return draft("error_alert", "Tool X failed", 0.99, {"error", "tool_x"});
}

} // namespace

BOOST_FIXTURE_TEST_CASE(what_expired_before_the_query_is_not_found, one_page, *label("DS_3_e1")) {
  auto x = alert_of_tool_x();
  x.ttl_minutes = 1;
  auto id = add(executor_in(), x).observation->observation_id;
  advance(std::chrono::seconds{61});
  BOOST_TEST(query(error_handler_in(), tagged({"error"})).total_count == 0u);
  BOOST_TEST(!get(id));
  BOOST_TEST(entries_about(*trace, "expire", id).size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  a_query_before_the_addition_finds_nothing_and_one_after_does, one_page, *label("DS_3_e2")) {
  BOOST_TEST(query(error_handler_in(), tagged({"error"})).total_count == 0u);
  auto stored = add(executor_in(), alert_of_tool_x()).observation;
  auto found = query(error_handler_in(), tagged({"error"}));
  BOOST_REQUIRE(found.observations.size() == 1u);
  BOOST_TEST(text(found.observations[0]) == text(stored));
}

BOOST_FIXTURE_TEST_CASE(
  several_daemons_may_query_the_same_observation, one_page, *label("DS_3_e3")) {
  auto stored = add(executor_in(), alert_of_tool_x()).observation;
  for (const auto& by : {error_handler_in(), router_in(), reflector_in(), executor_in()}) {
    auto found = query(by, tagged({"error"}));
    BOOST_REQUIRE(found.observations.size() == 1u);
    BOOST_TEST(text(found.observations[0]) == text(stored));
    BOOST_TEST(entries_of(*trace, "query_observations", by.name).size() == 1u);
  }
  BOOST_TEST(get(stored->observation_id)->revision == 1u);
}

} // namespace scratchpage::test
