#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

namespace {

/// The only observation of the type on the page.
observation_ptr the(team& host, const std::string& type) {
  auto found = host.of_type(type);
  BOOST_REQUIRE_MESSAGE(found.size() == 1u, type << ": " << found.size());
  return found[0];
}

/// The trace entry of the request that added the observation.
trace_entry addition_of(const team& host, const observation_ptr& x) {
  auto entries = entries_about(*host.trace, "add_observation", x->observation_id);
  BOOST_REQUIRE(entries.size() == 1u);
  return entries[0];
}

bool came_before(const observation_ptr& a, const observation_ptr& b) {
  return a->observation_id < b->observation_id; // valid for ids of one day with three digits
}

} // namespace

// -- example 1: error detection and recovery ------------------------------------------

namespace {

/// A team whose tool `weather_api` needs longer than its timeout.
struct slow_weather : team {
  slow_weather() {
    add_tool({.tool_id = "weather_api", .timeout_ms = 1'000, .idempotent = true},
      {{.call_id = "weather", .outputs = {{"temperature", 15}}, .latency_ms = 1'500}});
    add_tool({.tool_id = "news_api"}, {{.outputs = {{"headlines", 3}}, .latency_ms = 100}});
    start();
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_tool_that_times_out_is_retried_and_something_is_learnt, slow_weather, *label("DS_x1")) {
  auto turn =
    say("What is the weather in Paris?", {call("weather_api", {}, "weather"), call("news_api")});

  // The Executor reports the timeout, and makes the other call.
  auto alert = the(*this, "error_alert");
  BOOST_TEST(alert->source.name == "executor");
  BOOST_TEST(alert->content.find("weather_api") != std::string::npos);
  BOOST_TEST(alert->confidence == 0.99);
  for (auto tag : {"error", "weather_api", "timeout"})
    BOOST_TEST(has_tag(alert, tag), tag);
  auto results = of_type("tool_result"); // newest first
  BOOST_REQUIRE(results.size() == 2u);
  BOOST_TEST(results[1]->source.name == "news_api");
  BOOST_TEST(results[0]->source.name == "weather_api");

  // The Error Handler queries the errors, and adds a plan.
  auto queries = entries_of(*trace, "query_observations", "error_handler");
  BOOST_REQUIRE(queries.size() == 1u);
  BOOST_TEST(queries[0].parent == addition_of(*this, alert).id);
  BOOST_TEST(detail_of(queries[0], "returned") == "1");
  auto plan = the(*this, "recovery_plan");
  BOOST_TEST(plan->source.name == "error_handler");
  BOOST_TEST(plan->content == "Retry weather_api with a longer timeout");
  BOOST_TEST(plan->confidence == 0.85);
  BOOST_TEST(metadata(plan, "error_class") == "timeout");
  BOOST_TEST(metadata(plan, "action") == "retry");
  BOOST_TEST(metadata(plan, "timeout_ms") == "2000.0");
  BOOST_TEST(metadata(plan, "error_alert_id") == alert->observation_id);

  // The Executor calls the tool again.
  BOOST_TEST(results[0]->content == "weather_api: {\"temperature\":15}");
  BOOST_TEST(metadata(results[0], "attempt") == "2");
  BOOST_TEST(is_caused_by(*trace, addition_of(*this, results[0]), addition_of(*this, plan).id));
  BOOST_TEST(to_string(turn.status) == "complete");

  // The Reflector queries the page and adds a learning, which becomes a fact.
  BOOST_TEST(entries_of(*trace, "query_observations", "reflector").size() >= 1u);
  auto lesson = the(*this, "learning");
  BOOST_TEST(lesson->source.name == "reflector");
  BOOST_TEST(
    lesson->content == "weather_api sometimes times out, retry with a longer timeout helps");
  auto known = facts();
  BOOST_REQUIRE(known.size() == 1u);
  BOOST_TEST(known[0].statement == lesson->content);
  std::vector<std::string> grounds{alert->observation_id, plan->observation_id};
  BOOST_TEST(known[0].observation_ids == grounds, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(each_time_it_helps_the_lesson_is_surer, slow_weather, *label("DS_x1")) {
  say("What is the weather in Paris?", {call("weather_api", {}, "weather")});
  auto first = facts().at(0);
  say("And in Rome?", {call("weather_api", {}, "weather")});
  auto known = facts();
  BOOST_REQUIRE(known.size() == 1u);
  BOOST_TEST(known[0].confidence > first.confidence);
  BOOST_TEST(known[0].support > first.support);
}

// -- example 2: coordination ----------------------------------------------------------

namespace {

struct weather_in_cities : team {
  std::vector<planned_call> plan;

  weather_in_cities() {
    auto& tool = add_tool({.tool_id = "weather"}, {{.outputs = {{"temperature", 15}}}});
    tool.after_last = after_last::repeat;
    tool.latency = {500, 500};
    for (auto city : {"Paris", "London", "Rome", "Berlin", "Madrid"})
      plan.push_back(call("weather", {{"city", city}}, city));
    start();
  }

  /// When each call began, relative to the turn's start.
  std::vector<double> starts(const turn_result& turn) const {
    std::vector<double> result;
    for (const auto& x : entries_of(*trace, "call_tool", "executor"))
      if (x.turn_id == turn.turn_id)
        result.push_back(in_milliseconds(x.at - turn.started_at));
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  many_requests_are_urgent_and_their_calls_run_side_by_side, weather_in_cities, *label("DS_x2")) {
  auto turn = say("What's the weather in 5 cities: Paris, London, Rome, Berlin and Madrid?", plan);

  auto routing = the(*this, "routing_decision");
  BOOST_TEST(routing->source.name == "router");
  BOOST_TEST(to_string(turn.urgency) == "high");
  BOOST_TEST(routing->content == "High urgency: 5 separate requests");
  BOOST_TEST(routing->confidence == 0.95);
  BOOST_TEST(has_tag(routing, "urgency"));
  BOOST_TEST(has_tag(routing, "routing"));

  auto execution = the(*this, "execution_plan");
  BOOST_TEST(execution->source.name == "executor");
  BOOST_TEST(execution->content.starts_with("Executing 5 calls in parallel"));
  BOOST_TEST(execution->confidence == 0.9);
  BOOST_TEST(is_caused_by(*trace, addition_of(*this, execution), addition_of(*this, routing).id));
  std::vector<double> at_once(5, 0.0);
  BOOST_TEST(starts(turn) == at_once, boost::test_tools::per_element());

  auto evaluation = the(*this, "evaluation_result");
  BOOST_TEST(evaluation->source.name == "evaluator");
  BOOST_TEST(evaluation->content == "Complete: parallel execution of 5 calls succeeded in 500ms");
  BOOST_TEST(evaluation->confidence == 0.99);
  BOOST_TEST(came_before(routing, execution));
  BOOST_TEST(came_before(execution, evaluation));
  auto asked = entries_of(*trace, "read_turn", "evaluator");
  BOOST_REQUIRE(!asked.empty());
  BOOST_TEST(asked[0].turn_id == turn.turn_id);
  BOOST_TEST(to_string(turn.status) == "complete");
  BOOST_TEST(of_type("tool_result").size() == 5u);
}

BOOST_FIXTURE_TEST_CASE(
  without_urgency_calls_run_one_after_another, weather_in_cities, *label("DS_x2")) {
  auto turn = say("What's the weather?", plan);
  BOOST_TEST(to_string(turn.urgency) == "low");
  std::vector<double> in_turn{0, 500, 1'000, 1'500, 2'000};
  BOOST_TEST(starts(turn) == in_turn, boost::test_tools::per_element());
  BOOST_TEST(the(*this, "evaluation_result")->content == "Complete: 5 calls succeeded in 2500ms");
}

// -- example 3: a daemon's alert ------------------------------------------------------

namespace {

struct user_data : team {
  user_data() {
    add_tool(
      {.tool_id = "user_profile", .permissions = {"user_data"}}, {{.outputs = {{"name", "Ann"}}}});
    start();
  }

  turn_result ask_for_profile(bool user_consents) {
    begin_turn request;
    request.thread_id = "main";
    request.user_id = "ann";
    request.input = "Show me my profile";
    request.plan = {call("user_profile")};
    if (user_consents)
      request.context["user_consents"] = true;
    return run(std::move(request));
  }

  /// The first observation of the type in the turn's result, which also lists archived ones.
  static observation_ptr of_turn(const turn_result& turn, std::string_view type) {
    auto i = std::find_if(turn.observations.begin(), turn.observations.end(),
      [&](const observation_ptr& x) { return x->type == type; });
    return i == turn.observations.end() ? observation_ptr{} : *i;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  protected_data_is_read_once_the_consciousness_agrees, user_data, *label("DS_x3")) {
  auto turn = ask_for_profile(true);
  auto alert = of_turn(turn, "security_alert");
  BOOST_REQUIRE(!!alert);
  BOOST_TEST(alert->source.name == "executor");
  BOOST_TEST(alert->content == "Accessing protected data with user_profile");
  BOOST_TEST(alert->confidence == 0.99);
  BOOST_TEST(has_tag(alert, "security"));
  BOOST_TEST(has_tag(alert, "user_data"));

  auto judged = entries_of(*trace, "judge");
  BOOST_REQUIRE(judged.size() == 1u);
  BOOST_TEST(judged[0].component == "consciousness");
  BOOST_TEST(detail_of(judged[0], "verdict") == "allow");
  BOOST_TEST(detail_of(judged[0], "mandate_id") == "user_data_with_consent");

  auto check = of_turn(turn, "constraint_check");
  BOOST_REQUIRE(!!check);
  BOOST_TEST(check->content
             == "Access to protected data with user_profile approved: allowed with user consent");
  BOOST_TEST(check->confidence == 0.99);
  BOOST_TEST(metadata(check, "alert_id") == alert->observation_id);
  auto found = query(tagged({"security"}), "What security alerts?");
  BOOST_TEST(ids_of(found.observations).contains(check->observation_id));

  auto result = of_turn(turn, "tool_result");
  BOOST_REQUIRE(!!result);
  BOOST_TEST(result->content == "user_profile: {\"name\":\"Ann\"}");
  BOOST_TEST(came_before(alert, check));
  BOOST_TEST(came_before(check, result));
  auto calls = entries_of(*trace, "call_tool", "executor");
  BOOST_REQUIRE(calls.size() == 1u);
  BOOST_TEST((judged[0].at <= calls[0].at));
  BOOST_TEST(to_string(turn.status) == "complete");
}

BOOST_FIXTURE_TEST_CASE(protected_data_is_not_read_without_consent, user_data, *label("DS_x3")) {
  auto turn = ask_for_profile(false);
  BOOST_TEST(to_string(turn.status) == "waiting");
  BOOST_REQUIRE(turn.questions.size() == 1u);
  BOOST_TEST(turn.questions[0].starts_with("Allow user_profile?"));
  BOOST_TEST(metadata(of_turn(turn, "constraint_check"), "verdict") == "ask_user");
  BOOST_TEST(entries_of(*trace, "call_tool").empty());
  BOOST_TEST(of_type("tool_result").empty());
  BOOST_TEST(of_type("security_alert").size() == 1u); // the alert is still active
}

} // namespace scratchpage::test
