#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/tools/tool_team.hpp"
#include "scratchpage/tests/support/contains.hpp"

/// The worked examples: a tool reports an observation in one turn, and later turns use it.

namespace scratchpage::test {

namespace {

using boost::unit_test::label;
using namespace std::chrono_literals;

bool was_told(const tool_request& x, std::string_view part) {
  return std::any_of(x.scratch_page_context.begin(), x.scratch_page_context.end(),
    [&](const scratch_page_entry& one) { return contains(one.content, part); });
}

/// A tool that answers `text` if an observation that it gets with the call contains `part`.
tool_function knowing(std::string part, std::string text) {
  return [part = std::move(part), text = std::move(text)](const tool_request& x) {
    tool_response result;
    result.outputs["recommendation"] = was_told(x, part) ? text : "Anything";
    return result;
  };
}

const observation_ptr& result_of(const turn_result& turn, std::string_view tool_id) {
  static const observation_ptr none;
  for (const auto& x : turn.observations)
    if (x->type == "tool_result" && x->source.name == tool_id)
      return x;
  return none;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_preference_that_a_tool_noticed_guides_a_later_recommendation, tool_team, *label("TS_x1")) {
  setup.config = default_config();
  add_reporter("wine_search", {R"([{"type": "contextual_insight",
    "content": "User prefers Burgundy wines", "confidence": 0.95,
    "tags": ["wine", "preference", "user_profile"], "ttl_minutes": 2880}])"});
  add_function("wine_recommender", knowing("Burgundy", "Recommend Burgundy wines"));
  start();

  auto first = say("What wine should I get?", {call("wine_search")});
  auto insight = noticed_once_by("wine_search");
  BOOST_TEST(insight->type == "contextual_insight");
  BOOST_TEST(insight->confidence == 0.95);
  BOOST_TEST(insight->tags == (texts{"wine", "preference", "user_profile"}),
    boost::test_tools::per_element());
  BOOST_TEST(to_rfc3339(insight->expires_at) == to_rfc3339(insight->created_at + 48h));
  BOOST_TEST(entry_about(insight).turn_id == first.turn_id);
  BOOST_REQUIRE(goals().size() == 1u);
  BOOST_TEST(goals().front().observation_id == insight->observation_id);
  BOOST_TEST(insight->linked_to_goal);
  BOOST_TEST(to_string(insight->status) == "active");

  advance(24h);
  auto second = say("And for tonight?", {asking("wine_recommender", {"wine"})});
  BOOST_REQUIRE(result_of(second, "wine_recommender"));
  BOOST_TEST(contains(result_of(second, "wine_recommender")->content, "Recommend Burgundy wines"));
  assemble_context request{as_daemon("probe"), "Which wine?", 1000};
  auto context = value(ask(host->working_memory(), request));
  BOOST_TEST(contains(context.text, "User prefers Burgundy wines"));

  advance(25h);
  say("And tomorrow?", {asking("wine_recommender", {"wine"})});
  BOOST_REQUIRE(asked.size() == 2u);
  BOOST_TEST(!was_told(asked.back(), "Burgundy")); // its two days of lifetime are over
}

BOOST_FIXTURE_TEST_CASE(
  performance_that_tools_noticed_leads_to_the_faster_tool, tool_team, *label("TS_x2")) {
  auto answers = [](double latency_ms, const std::string& text) {
    recorded_response result;
    result.outputs["condition"] = "cloudy";
    result.latency_ms = latency_ms;
    result.observations = {json::value{{"type", "contextual_insight"}, {"content", text},
      {"confidence", 0.99}, {"tags", {"performance", "weather_api"}}, {"ttl_minutes", 1440}}};
    return std::vector<recorded_response>(4, result);
  };
  auto slow = manifest("old_weather", 10'000);
  slow.alternatives = {"weather_api"};
  add_tool(std::move(slow), answers(2500, "Old weather responded in 2500ms"));
  add_tool(manifest("weather_api"), answers(234, "Weather API responded in 234ms"));
  start();

  auto first = say("What's the weather?", {call("weather_api")});
  auto metric = noticed_once_by("weather_api");
  BOOST_TEST(metric->content == "Weather API responded in 234ms");
  BOOST_TEST(metric->confidence == 0.99);
  BOOST_TEST(
    metric->tags == (texts{"performance", "weather_api"}), boost::test_tools::per_element());
  BOOST_TEST(to_rfc3339(metric->expires_at) == to_rfc3339(metric->created_at + 24h));
  BOOST_TEST(
    number_at(result_of(first, "weather_api")->metadata, "duration_ms").value_or(0) == 234);
  BOOST_TEST(goals().empty()); // operational metrics are never promoted
  BOOST_TEST(text_at(entry_about(metric, "judge_promotion").detail, "decision")
             == "Observation kept in scratch");

  for (int i = 0; i < 2; ++i)
    say("What's the weather?", {call("weather_api"), call("old_weather")});
  auto queries = entries("query_observations");
  BOOST_TEST(std::any_of(queries.begin(), queries.end(), [](const trace_entry& x) {
    return x.source == "system_analyzer" && number_at(x.detail, "returned").value_or(0) > 0;
  }));
  auto suggestions = of_type("action_suggestion");
  BOOST_REQUIRE(suggestions.size() == 1u);
  BOOST_TEST(suggestions.front()->source.name == "system_analyzer");
  BOOST_TEST(contains(suggestions.front()->content, "Prefer weather_api to old_weather"));

  auto later = say("What's the weather?", {call("old_weather")});
  BOOST_TEST(!result_of(later, "old_weather"));
  BOOST_TEST(bool{result_of(later, "weather_api")});
  BOOST_TEST(traced("prefer_tool") == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  an_alert_that_a_tool_raised_makes_the_next_turn_urgent, tool_team, *label("TS_x3")) {
  add_reporter("check_email", {R"([{"type": "alert",
    "content": "Suspicious email detected: sender claims to be bank", "confidence": 0.85,
    "tags": ["security", "phishing", "alert"], "ttl_minutes": 10080}])"});
  recorded_response opened;
  opened.latency_ms = 500;
  add_tool(manifest("open_email"), {opened});
  add_reporter("verify_sender", {R"([{"type": "alert",
    "content": "The sender is not the bank: this is phishing", "confidence": 0.97,
    "tags": ["security", "phishing"]}])"});
  start();

  auto first = say("Check my email", {call("check_email")});
  BOOST_TEST(to_string(first.urgency) == "low");
  auto alert = noticed_once_by("check_email");
  BOOST_TEST(alert->type == "alert");
  BOOST_TEST(alert->confidence == 0.85);
  BOOST_TEST(
    alert->tags == (texts{"security", "phishing", "alert"}), boost::test_tools::per_element());
  BOOST_TEST(to_rfc3339(alert->expires_at) == to_rfc3339(alert->created_at + 24h * 7));
  BOOST_TEST(entry_about(alert).turn_id == first.turn_id);

  advance(1h);
  auto second =
    say("Show me the message from my bank", {call("open_email"), call("verify_sender")});
  BOOST_TEST(to_string(second.urgency) == "high");
  auto routed = std::find_if(second.observations.begin(), second.observations.end(),
    [](const observation_ptr& x) { return x->type == "routing_decision"; });
  BOOST_REQUIRE((routed != second.observations.end()));
  BOOST_TEST(contains((*routed)->content, "alert " + alert->observation_id));
  auto reads = entries("get_active_observations");
  BOOST_TEST(std::any_of(reads.begin(), reads.end(),
    [&](const trace_entry& x) { return x.source == "router" && x.turn_id == second.turn_id; }));

  // The security check runs in parallel with the call before it.
  BOOST_REQUIRE(result_of(second, "verify_sender"));
  BOOST_REQUIRE(result_of(second, "open_email"));
  BOOST_TEST((result_of(second, "verify_sender")->created_at + 500ms
              == result_of(second, "open_email")->created_at));

  // Its finding becomes an action that warns the user.
  BOOST_REQUIRE(second.pending_actions.size() == 1u);
  const auto& warning = second.pending_actions.front();
  BOOST_TEST(warning.action_type == "warn_user");
  BOOST_TEST(contains(warning.description, "this is phishing"));
  BOOST_TEST(to_string(warning.priority) == "high");
}

BOOST_FIXTURE_TEST_CASE(
  a_trip_that_a_tool_noticed_is_known_to_other_tools_later, tool_team, *label("TS_x4")) {
  setup.config = default_config();
  add_reporter("flight_search", {R"([{"type": "contextual_insight",
    "content": "User planning trip to Paris", "confidence": 0.9,
    "tags": ["travel", "destination", "paris"], "context": {"goal_id": "book_flight_to_paris"},
    "ttl_minutes": 2880}])"});
  const texts others{"hotels", "weather", "things_to_do"};
  for (const auto& tool : others)
    add_function(tool, knowing("trip to Paris", tool + " in Paris"));
  start();

  say("Book a flight to Paris", {call("flight_search")});
  auto insight = noticed_once_by("flight_search");
  BOOST_TEST(insight->confidence == 0.9);
  BOOST_TEST(
    insight->tags == (texts{"travel", "destination", "paris"}), boost::test_tools::per_element());
  BOOST_TEST(text_at(insight->context, "goal_id") == "book_flight_to_paris");
  BOOST_TEST(to_rfc3339(insight->expires_at) == to_rfc3339(insight->created_at + 48h));
  BOOST_REQUIRE(goals().size() == 1u);
  BOOST_TEST(goals().front().goal_id == "book_flight_to_paris");
  BOOST_TEST(
    insight->linked_goal_ids == (texts{"book_flight_to_paris"}), boost::test_tools::per_element());

  advance(1h);
  std::vector<planned_call> plan;
  for (const auto& tool : others)
    plan.push_back(asking(tool, {"travel", "paris"}));
  auto second = say("What else do I need?", std::move(plan));
  BOOST_TEST(to_string(second.status) == "complete");
  for (const auto& tool : others) {
    BOOST_REQUIRE(result_of(second, tool));
    BOOST_TEST(contains(result_of(second, tool)->content, tool + " in Paris"));
  }
}

} // namespace scratchpage::test
