#define BOOST_TEST_MODULE replay_scenario
#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/simulation/scenario.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage {

namespace {

using namespace std::chrono_literals;

conversation read(std::string_view text) {
  return test::require_value(read_scenario(text, "s.json"));
}

std::string refusal_of(std::string_view text) {
  auto result = read_scenario(text, "s.json");
  return result ? "accepted" : describe_input(result.error());
}

/// A scenario with these steps and the tool `look`.
std::string with_steps(const std::string& steps) {
  return R"({"scenario": "s", "tools": [{"tool_id": "look"}],
"steps": [)"
         + steps + "]}";
}

/// A scenario with this tool.
std::string with_tool(const std::string& members) {
  return R"({"scenario": "s", "tools": [{"tool_id": "look")" + members
         + R"(}, {"tool_id": "other"}], "steps": [{"wait": 1}]})";
}

std::string with_plan(const std::string& plan) {
  return with_steps(R"({"turn": {"input": "x", "plan": [)" + plan + "]}}");
}

template <class T>
const T& step(const conversation& x, size_t i) {
  return std::get<T>(x.steps.at(i).what);
}

} // namespace

BOOST_AUTO_TEST_CASE(steps_become_what_a_player_does_in_their_order) {
  auto x = read(R"({ // a comment
    "scenario": "mixed", "start": "2025-11-05T10:00:00Z", "agents": ["ada", "bob"],
    "tools": [{"tool_id": "look", "timeout_ms": 50}],
    "steps": [
      {"turn": {"input": "Hello", "plan": [{"tool_id": "look"}, {"tool_id": "look", "after": ["call_1"]}]}},
      {"wait": "61s"},
      {"add": {"type": "alert", "content": "Smoke"}, "as": {"tool": "sensor"}, "agent": "bob"},
      {"turns": [{"agent": "bob", "input": "One"}, {"agent": "ada", "thread": "t", "user": "u", "mode": "parallel", "input": "Two"}]},
      /* and another */
      {"expect": {"turn": {"status": "complete"}}}],
    "config": {"router": {}}})");
  BOOST_TEST(x.id == "mixed");
  BOOST_TEST(to_rfc3339(*x.start) == "2025-11-05T10:00:00.000Z");
  BOOST_TEST(x.tools.at(0).manifest.timeout_ms == 50);
  const auto& request = step<turns_step>(x, 0).turns.at(0).request;
  BOOST_TEST(request.agent_id == "ada");
  BOOST_TEST(request.thread_id == "main");
  BOOST_TEST(request.plan[1].call_id == "call_2");
  BOOST_TEST(step<wait_step>(x, 1).duration.count() == timespan{61s}.count());
  BOOST_TEST(step<add_step>(x, 2).agent_id == "bob");
  BOOST_TEST(step<add_step>(x, 2).by.name == "sensor");
  BOOST_TEST((step<add_step>(x, 2).by.role == role::tool));
  BOOST_TEST(step<turns_step>(x, 3).turns.size() == 2u);
  BOOST_TEST((step<turns_step>(x, 3).turns[1].request.mode == turn_mode::parallel));
  BOOST_TEST(step<expect_step>(x, 4).agent_id == "ada"); // the agent of the latest turn
  BOOST_TEST(x.steps[4].where == "s.json:10");
  BOOST_TEST(to_text(x.config) == R"({"router":{}})");
}

BOOST_AUTO_TEST_CASE(a_scenario_without_agents_has_one_of_its_name) {
  auto x = read(R"({"scenario": "lone", "steps": [{"turn": {"input": "x"}}]})");
  BOOST_TEST(x.agents.at(0) == "lone");
  BOOST_TEST(step<turns_step>(x, 0).turns[0].request.agent_id == "lone");
}

BOOST_AUTO_TEST_CASE(a_tool_has_responses_latencies_and_faults) {
  auto x = read(with_tool(R"(, "latency": {"min_ms": 10, "max_ms": 20}, "after_last": "repeat",
    "responses": [{"call_id": "a", "outputs": {"b": 2}, "latency_ms": 5}, {"status": "error"}],
    "faults": {"fault": "timeout"})"));
  const auto& tool = std::get<recorded_tool>(x.tools.at(0).kind);
  BOOST_TEST(tool.latency.min_ms == 10);
  BOOST_TEST(tool.latency.max_ms == 20);
  BOOST_TEST((tool.after_last == after_last::repeat));
  BOOST_TEST(tool.responses.at(0).call_id == "a");
  BOOST_TEST(*tool.responses[0].latency_ms == 5);
  BOOST_TEST((tool.responses.at(1).status == tool_status::error));
  BOOST_TEST((tool.faults.at(0).fault == fault_kind::timeout));
}

BOOST_AUTO_TEST_CASE(durations_have_units) {
  BOOST_TEST(parse_duration("250ms")->count() == timespan{250ms}.count());
  BOOST_TEST(parse_duration("1.5h")->count() == timespan{90min}.count());
  BOOST_TEST(parse_duration("7d")->count() == timespan{168h}.count());
  for (auto bad : {"", "7", "d", "-1s", "1 s", "1w", "1e999s", "nans", "101000d", "1ss"})
    BOOST_TEST(!parse_duration(bad), bad);
}

BOOST_AUTO_TEST_CASE(unknown_fields_are_refused_with_their_line) {
  BOOST_TEST(refusal_of("{\"scenario\": \"s\",\n\"steps\": [\n{\"wait\": 1},\n{\"turn\": "
                        "{\n\"input\": \"x\", \"prompt\": 1}}]}")
             == "s.json:5: steps[1].turn.prompt: unknown field; known are agent, thread, user, "
                "input, plan, mode, deadline_ms, context; did you mean input?");
  BOOST_TEST(
    refusal_of(
      "{\"scenario\": \"s\",\n\n\"tools\": [{\"tool_id\": \"a\",\n\"answer\": []}], \"steps\": []}")
      .starts_with("s.json:4: tools[0].answer: unknown field; known are tool_id, description"));
}

BOOST_AUTO_TEST_CASE(wrong_types_and_missing_fields_are_named) {
  BOOST_TEST(refusal_of(R"({"steps": [{"wait": 1}]})")
             == "s.json:1: scenario: expected a value; it is required");
  BOOST_TEST(refusal_of(R"({"scenario": "s", "steps": []})")
             == "s.json:1: steps: expected a list that is not empty");
  BOOST_TEST(refusal_of(R"([])") == "s.json:1: expected an object");
  BOOST_TEST(refusal_of("{\n\"scenario\" \"s\"}").starts_with("s.json:2: expected valid JSON"));
  BOOST_TEST(refusal_of(with_steps(R"({"expect": {"turn": {"status": "done"}}})"))
             == "s.json:2: steps[0].expect.turn.status: expected one of complete, more_work, "
                "waiting, background, timed_out, held, running");
  BOOST_TEST(refusal_of(R"({"scenario": "s", "start": "today", "steps": [{"wait": 1}]})")
               .starts_with("s.json:1: start: expected a date and time"));
}

BOOST_AUTO_TEST_CASE(a_step_is_exactly_one_thing) {
  auto expected = "s.json:2: steps[0]: expected exactly one of turn, turns, wait, add, expect";
  BOOST_TEST(refusal_of(with_steps("{}")) == expected);
  BOOST_TEST(refusal_of(with_steps(R"({"wait": 1, "turn": {"input": "x"}})")) == expected);
  BOOST_TEST(refusal_of(with_steps(R"({"wait": 1, "as": {"user": "u"}})"))
             == "s.json:2: steps[0].as: expected none without add");
}

BOOST_AUTO_TEST_CASE(waits_that_make_no_sense_are_refused) {
  for (auto bad : {"-1", "\"soon\"", "[1]", "1e30", "true"})
    BOOST_TEST(refusal_of(with_steps(std::string{R"({"wait": )"} + bad + "}"))
                 .starts_with("s.json:2: steps[0].wait: expected a duration"),
      bad);
}

BOOST_AUTO_TEST_CASE(agents_and_tools_must_be_known) {
  BOOST_TEST(refusal_of(with_steps(R"({"turn": {"input": "x", "agent": "eve"}})"))
             == "s.json:2: steps[0].turn.agent: expected one of the agents: s");
  BOOST_TEST(refusal_of(with_plan(R"({"tool_id": "lok"})"))
             == "s.json:2: steps[0].turn.plan[0].tool_id: expected one of the tools: look");
  BOOST_TEST(refusal_of(R"({"scenario": "s", "agents": ["a", "a"], "steps": [{"wait": 1}]})")
             == "s.json:1: agents[1]: expected a name of its own");
}

BOOST_AUTO_TEST_CASE(tools_of_servers_are_called_by_the_servers_name) {
  auto with_server = [](const std::string& more) {
    return R"({"scenario": "s", "servers": ["box"], "steps": [{"turn": {"input": "x",
"plan": [{"tool_id": "box.echo"}]}}])"
           + more + "}";
  };
  auto read = read_scenario(with_server(""), "s.json");
  BOOST_REQUIRE(read);
  BOOST_TEST(read->servers.size() == 1u);
  BOOST_TEST(refusal_of(with_plan(R"({"tool_id": "box.echo"})"))
             == "s.json:2: steps[0].turn.plan[0].tool_id: expected one of the tools: look");
  BOOST_TEST(refusal_of(with_server(R"(, "config": {"mcpServers": {}})"))
             == "s.json:2: config.mcpServers: expected none, since only the configuration of the "
                "run may name programs");
}

BOOST_AUTO_TEST_CASE(a_plan_must_be_able_to_finish) {
  BOOST_TEST(
    refusal_of(with_plan(R"({"call_id": "a", "tool_id": "look", "depends_on": ["b"]})"))
    == "s.json:2: steps[0].turn.plan[0].depends_on[0]: expected one of the turn's calls: a");
  BOOST_TEST(refusal_of(with_plan(R"({"call_id": "a", "tool_id": "look", "after": ["b"]},
      {"call_id": "b", "tool_id": "look", "depends_on": ["a"]})"))
             == "s.json:2: steps[0].turn.plan: expected calls that do not wait for each other in a "
                "cycle");
  BOOST_TEST(refusal_of(with_plan(
               R"({"call_id": "a", "tool_id": "look"}, {"call_id": "a", "tool_id": "look"})"))
             == "s.json:2: steps[0].turn.plan[1].call_id: expected an id that no other call of the "
                "turn has");
}

BOOST_AUTO_TEST_CASE(tools_that_make_no_sense_are_refused) {
  auto refused = [](const std::string& members, const std::string& where) {
    auto text = refusal_of(with_tool(members));
    BOOST_TEST(text.starts_with("s.json:1: tools[0]" + where), text);
  };
  refused(R"(, "latency": {"min_ms": 2, "max_ms": 1})", ".latency");
  refused(R"(, "latency_ms": -1)", ".latency");
  refused(R"(, "latency_ms": "1")", ".latency_ms");
  refused(R"(, "timeout_ms": 0)", ".timeout_ms");
  refused(R"(, "alternatives": ["none"])", ".alternatives[0]");
  refused(R"(, "alternatives": ["look"])", ".alternatives[0]");
  refused(R"(, "faults": [{"fault": "fire"}])", ".faults[0].fault");
  BOOST_TEST(refusal_of(with_tool(R"(, "kind": "process")"))
               .starts_with("s.json:1: tools[0].kind: unknown field"));
  BOOST_TEST(refusal_of(with_tool(R"(, "alternatives": ["other"])")) == "accepted");
}

BOOST_AUTO_TEST_CASE(figures_that_the_summary_does_not_have_are_refused) {
  BOOST_TEST(refusal_of(with_steps(R"({"expect": {"summary": {"turn": {"equals": 1}}}})"))
               .starts_with("s.json:2: steps[0].expect.summary.turn: expected one of the summary's "
                            "figures: conversations, turns"));
}

BOOST_AUTO_TEST_CASE(a_turn_that_a_scenario_has_waited_for_is_neither_held_nor_running) {
  auto with_status = [](const std::string& x) {
    return with_steps(R"({"expect": {"turn": {"status": ")" + x + R"("}}})");
  };
  for (const auto* unending : {"held", "running"})
    BOOST_TEST(refusal_of(with_status(unending))
               == "s.json:2: steps[0].expect.turn.status: expected one of: complete, more_work, "
                  "waiting, background, timed_out");
  BOOST_TEST(refusal_of(with_status("timed_out")) == "accepted");
}

BOOST_AUTO_TEST_CASE(a_line_is_found_through_comments_strings_and_nesting) {
  constexpr auto text =
    "{ // \"b\": 1\n\"a\": [\"]}\\\"\", {\"c\":\n [1,\n 2]}],\n/* \n */ \"b\": {\"d\": true}}";
  BOOST_TEST(line_of(text, "") == 1u);
  BOOST_TEST(line_of(text, "a[1].c") == 3u);
  BOOST_TEST(line_of(text, "a[1].c[1]") == 4u);
  BOOST_TEST(line_of(text, "b.d") == 6u);
  BOOST_TEST(line_of(text, "b.none") == 6u);
  BOOST_TEST(line_of(text, "none") == 1u);
  BOOST_TEST(line_of("", "a") == 1u);
}

} // namespace scratchpage
