#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/tests/support/team.hpp"

/// Every operation adds a trace entry, even if it is refused (contract 10).

namespace scratchpage::test {

namespace {

struct traced_team : team {
  /// Removes all entries from the trace. Returns those of one operation.
  std::vector<trace_entry> take(std::string_view operation) {
    auto result = trace->take();
    std::erase_if(result, [&](const trace_entry& x) { return x.operation != operation; });
    return result;
  }

  /// The statuses of an operation since the last `take`, as "success, conflict".
  std::string went(std::string_view operation) {
    std::string result;
    for (const auto& x : take(operation))
      result.append(result.empty() ? "" : ", ").append(x.status);
    return result;
  }

  create_goal making(caller by, std::string goal_id, std::string goal_type = "dinner") {
    create_goal request{std::move(by), {}};
    request.draft.goal_id = std::move(goal_id);
    request.draft.goal_type = std::move(goal_type);
    return request;
  }

  begin_turn in_thread(std::string thread_id, double deadline_ms = 0) {
    begin_turn request;
    request.thread_id = std::move(thread_id);
    request.user_id = "ann";
    request.input = "Hello there";
    request.deadline_ms = deadline_ms;
    return request;
  }
};

const caller probe = as_daemon("probe", "turn_1", 7);

} // namespace

BOOST_FIXTURE_TEST_SUITE(trace, traced_team)

// -- goals --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(goals_that_are_refused_are_traced_as_those_that_are_made) {
  setup.config.frontal_cortex.max_goals = 1;
  setup.config.mandates.rules.push_back(
    {.id = "no_war", .match = {.subjects = {"war"}}, .verdict = verdict_kind::deny});
  start();
  for (const auto& request : {making(as_tool("thermometer"), "g"), making(probe, "g", ""),
         making(probe, "g", "war"), making(probe, "g"), making(probe, "g"), making(probe, "h")})
    std::ignore = ask(host->cortex(), request);
  BOOST_TEST(
    went("create_goal") == "forbidden, invalid_request, forbidden, success, conflict, overloaded");
}

BOOST_AUTO_TEST_CASE(goals_that_are_listed_and_settled_are_traced) {
  start();
  value(ask(host->cortex(), making(probe, "g")));
  value(ask(host->cortex(), list_goals{probe, {}}));
  auto listed = take("list_goals");
  BOOST_REQUIRE(listed.size() == 1u);
  BOOST_TEST(listed[0].component == "frontal_cortex");
  BOOST_TEST(listed[0].source == "probe");
  BOOST_TEST(listed[0].turn_id == "turn_1");
  BOOST_TEST(listed[0].parent == 7u);
  BOOST_TEST(number_at(listed[0].detail, "found").value_or(-1) == 1);

  value(ask(host->cortex(), settle_goals{probe, {}}));
  BOOST_TEST(went("settle_goals") == "success");
}

BOOST_AUTO_TEST_CASE(a_candidate_that_names_no_goal_there_is_is_traced) {
  start();
  promotion_batch batch;
  observation x;
  x.observation_id = "obs_1";
  x.context["goal_id"] = "nowhere";
  batch.candidates.push_back({observation_ptr{std::move(x)}, "", 7});
  value(ask(host->cortex(), std::move(batch)));
  auto found = take("join_goal");
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].status == "not_found");
  BOOST_TEST(found[0].parent == 7u);
  BOOST_TEST(text_at(found[0].detail, "observation_id") == "obs_1");
}

// -- turns --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(turns_that_are_refused_are_traced) {
  start();
  auto elsewhere = in_thread("main");
  elsewhere.agent_id = "another";
  auto broken = in_thread("main");
  broken.input = "\xff";
  auto cyclic = in_thread("main");
  cyclic.plan = {call("a", {}, "1")};
  cyclic.plan[0].depends_on = {"1"};
  for (const auto& request : {elsewhere, in_thread("main", -1), broken, cyclic})
    std::ignore = ask(host->turns(), request);
  auto refused = take("begin_turn");
  BOOST_REQUIRE(refused.size() == 4u);
  for (const auto& x : refused) {
    BOOST_TEST(x.component == "turns");
    BOOST_TEST(x.source == "ann");
    BOOST_TEST(x.status == (&x == &refused[0] ? "not_found" : "invalid_request"));
  }
}

BOOST_AUTO_TEST_CASE(turns_that_wait_for_their_thread_are_traced) {
  setup.config.turns.max_queued = 1;
  add_tool({.tool_id = "slow"}, {{.latency_ms = 1000}});
  start();
  auto first = in_thread("main");
  first.plan = {call("slow")};
  std::vector<std::shared_ptr<pending_answer<turn_result>>> begun;
  for (const auto& request : {first, in_thread("main"), in_thread("main")})
    begun.push_back(send(host->turns(), request));
  settle();
  auto queued = take("queue_turn");
  BOOST_REQUIRE(queued.size() == 1u);
  BOOST_TEST(text_at(queued[0].detail, "thread_id") == "main");
  BOOST_REQUIRE(begun[2]->arrived());
  BOOST_TEST(!*begun[2]->value);
  advance(std::chrono::seconds{5});
  BOOST_TEST(begun[1]->arrived());
}

BOOST_AUTO_TEST_CASE(waiting_for_a_turn_is_traced) {
  start();
  auto result = say("Hello there");
  trace->take();
  value(ask(host->turns(), await_turn{result.turn_id}));
  auto found = take("await_turn");
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].turn_id == result.turn_id);
  BOOST_TEST(found[0].status == "success");
  std::ignore = ask(host->turns(), await_turn{"turn_of_nobody"});
  BOOST_TEST(went("await_turn") == "not_found");
}

// -- calls --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_plan_and_what_becomes_of_it_are_traced) {
  add_tool({.tool_id = "weather", .idempotent = true},
    {{.status = tool_status::timeout}, {.outputs = {{"temperature", 15}}}});
  start();
  auto turn = say("What is the weather in Paris?", {call("weather", {}, "1")});
  auto entries = trace->take();
  auto only = [&](std::string_view component, std::string_view operation) {
    std::vector<trace_entry> found;
    for (const auto& x : entries)
      if (x.component == component && x.operation == operation)
        found.push_back(x);
    BOOST_REQUIRE_MESSAGE(found.size() == 1u, operation);
    BOOST_TEST(found[0].turn_id == turn.turn_id);
    BOOST_TEST(found[0].status == "success");
    return found[0];
  };
  auto planned = only("executor", "plan");
  BOOST_TEST(number_at(planned.detail, "calls").value_or(0) == 1);
  BOOST_TEST(text_at(only("error_handler", "plan_recovery").detail, "action") == "retry");
  auto recovered = only("executor", "recover");
  BOOST_TEST(text_at(recovered.detail, "call_id") == "1");
  BOOST_TEST(only("executor", "restart_call").parent == recovered.id);
}

BOOST_AUTO_TEST_CASE(a_recovery_of_an_unknown_call_is_traced) {
  start();
  auto plan = draft("recovery_plan", "Try weather again", 0.9);
  plan.metadata["action"] = "retry";
  plan.metadata["call_id"] = "1";
  add(as_daemon("error_handler", "turn_of_nobody"), plan);
  BOOST_TEST(went("recover") == "not_found");
}

BOOST_AUTO_TEST_CASE(what_the_consciousness_does_not_allow_is_traced_as_left_undone) {
  add_tool({.tool_id = "user_profile", .permissions = {"user_data"}});
  start();
  say("Who am I?", {call("user_profile", {}, "1")});
  auto found = take("check_mandates");
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].status == "forbidden");
  BOOST_TEST(text_at(found[0].detail, "call_id") == "1");
  BOOST_TEST(text_at(found[0].detail, "verdict") == "ask_user");
}

BOOST_AUTO_TEST_CASE(a_suggestion_is_traced) {
  start();
  add_observations measured{as_tool("old_weather"),
    {3, draft("contextual_insight", "Answered in 5 seconds", 0.9, {"performance"})}};
  value(ask(host->page(), std::move(measured)));
  auto found = take("suggest");
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].component == "system_analyzer");
  BOOST_TEST(text_at(found[0].detail, "tool_id") == "old_weather");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
