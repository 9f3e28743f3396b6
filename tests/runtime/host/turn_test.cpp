#define BOOST_TEST_MODULE ensemble
#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

BOOST_FIXTURE_TEST_CASE(a_turn_without_a_plan_is_routed_evaluated_and_ended, team) {
  start();
  auto result = say("Hello there");
  BOOST_TEST(to_string(result.status) == "complete");
  BOOST_TEST(to_string(result.urgency) == "low");
  BOOST_TEST(result.observations.size() == 3u); // input, routing, evaluation
}

BOOST_FIXTURE_TEST_CASE(a_planned_call_is_made_and_its_result_stored, team) {
  add_tool({.tool_id = "weather"}, {{.outputs = {{"temperature", 15}}}});
  start();
  auto result = say("What is the weather in Paris?", {call("weather", {{"city", "Paris"}})});
  BOOST_TEST(to_string(result.status) == "complete");
  auto stored = of_type("tool_result");
  BOOST_REQUIRE(stored.size() == 1u);
  BOOST_TEST(stored.front()->source.name == "weather");
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_is_not_there_is_not_called_and_missed_by_name, team) {
  add_tool({.tool_id = "weather"}, {{.outputs = {{"temperature", 15}}}});
  start();
  say("What is the weather in Paris?", {call("wether")});
  auto alerts = of_type("error_alert");
  BOOST_REQUIRE(alerts.size() == 1u);
  BOOST_TEST(
    alerts.front()->content == "Tool 'wether' failed: tool wether not found; known are weather");
  BOOST_TEST(traced("tool_response") == 1u);
}

} // namespace scratchpage::test
