#include "scratchpage/actors/tools/toolbox.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/tests/support/few_threads_left.hpp"
#include "scratchpage/tests/support/tools.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage {

namespace {

using namespace std::literals;
using test::object;
using test::request;
using test::summary;

tool_response echo(const tool_request& x) {
  tool_response result;
  result.request_id = "whatever the tool thinks";
  result.outputs["n"] = x.inputs.contains("n") ? x.inputs.at("n") : json::value(0);
  return result;
}

tool_definition recorded(std::string tool_id, double latency_ms, double timeout_ms) {
  recorded_tool tool;
  tool.responses = {test::answer(1)};
  tool.after_last = after_last::repeat;
  tool.latency = {latency_ms, latency_ms};
  return {test::manifest(std::move(tool_id), timeout_ms), tool};
}

struct kept {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  int calls = 0;
  std::vector<tool_actor> made;
};

struct fixture : kept, test::virtual_time {
  toolbox_actor toolbox(std::vector<tool_definition> tools, size_t max_in_flight = 256) {
    agent_context agent{"agent_1", clock, trace};
    toolbox_config config;
    config.max_in_flight = max_in_flight;
    config.allow_threads = false;
    return make<toolbox_state>(agent, uint32_t{9}, std::move(tools), config);
  }

  std::string answer(const toolbox_actor& to, tool_request x) {
    auto id = x.request_id;
    auto given = ask(to, std::move(x));
    if (!given)
      return describe(given.error());
    BOOST_TEST(given->request_id == id);
    return summary(*given);
  }

  std::string traced() {
    auto entries = trace->take();
    BOOST_REQUIRE(entries.size() == 1u);
    const auto& x = entries[0];
    return x.component + " " + x.operation + " " + x.turn_id + " " + x.source + " " + x.status + " "
           + to_text(x.detail) + " " + std::to_string(static_cast<int>(x.duration_ms));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(toolbox_test, fixture)

BOOST_AUTO_TEST_CASE(a_call_goes_to_its_tool_and_back_under_its_own_id) {
  auto box = toolbox({test::function("a", echo), recorded("b", 0, 100)});
  BOOST_TEST(answer(box, request("a", "turn_1/c1", object(R"({"n": 5})"))) == "ok n=5");
  BOOST_TEST(answer(box, request("b", "turn_1/c2")) == "ok n=1");
}

BOOST_AUTO_TEST_CASE(tools_are_listed_by_id) {
  auto box = toolbox({test::function("z", echo), recorded("b", 0, 100), test::function("m", echo)});
  auto list = ask(box, list_tools{as_daemon("probe", "turn_1")});
  BOOST_REQUIRE(list);
  BOOST_REQUIRE(list->tools.size() == 3u);
  BOOST_TEST(list->tools[0]->tool_id == "b");
  BOOST_TEST(list->tools[1]->tool_id == "m");
  BOOST_TEST(list->tools[2]->tool_id == "z");
  BOOST_TEST(traced() == R"(tools list_tools turn_1 probe success {"tools":3} 0)");
}

BOOST_AUTO_TEST_CASE(an_unknown_tool_is_told_which_are_known) {
  auto box = toolbox({test::function("z", echo), test::function("b", echo)});
  BOOST_TEST(answer(box, request("x", "t/1")) == "error: tool x not found; known are b, z");
  BOOST_TEST(traced()
             == R"(tools call_tool t x not_found {"request_id":"t/1","tool_id":"x","attempt":1,)"
                R"("status":"error","error":"tool x not found; known are b, z",)"
                R"("error_class":"not_found"} 0)");
}

BOOST_AUTO_TEST_CASE(inputs_that_break_the_manifest_never_reach_the_tool) {
  auto tool = test::function("a", [this](const tool_request& x) {
    ++calls;
    return echo(x);
  });
  tool.manifest.inputs = object(R"({"required": ["n"], "properties": {"n": {"type": "integer"}}})");
  auto box = toolbox({tool});
  auto refused = ask(box, request("a", "t/1", object(R"({"n": "five"})")));
  BOOST_REQUIRE(refused);
  BOOST_TEST(summary(*refused)
             == "error: invalid input: invalid_request: inputs.n: expected a whole number");
  BOOST_TEST(test::output(*refused, "error_class") == "invalid_input");
  BOOST_TEST(calls == 0);
  BOOST_TEST(answer(box, request("a", "t/2", object(R"({"n": 5})"))) == "ok n=5");
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(what_a_function_throws_is_its_error_and_it_goes_on) {
  auto box = toolbox({test::function("a", [this](const tool_request& x) {
    if (++calls == 1)
      throw std::runtime_error("no such planet");
    if (calls == 2)
      throw 5;
    return echo(x);
  })});
  BOOST_TEST(answer(box, request("a", "t/1")) == "error: a failed: no such planet");
  BOOST_TEST(
    answer(box, request("a", "t/2")) == "error: a failed with an exception of an unknown type");
  BOOST_TEST(answer(box, request("a", "t/3")) == "ok n=0");
}

BOOST_AUTO_TEST_CASE(a_tool_that_is_late_is_a_timeout_exactly_at_its_time) {
  auto box = toolbox({recorded("slow", 300, 200)});
  auto late = send(box, request("slow", "t/1"));
  advance(199ms);
  BOOST_TEST(!late->arrived());
  advance(1ms);
  BOOST_REQUIRE(late->arrived());
  BOOST_TEST(summary(**late->value) == "timeout: timeout: no answer within 200 ms");
  BOOST_TEST(test::output(**late->value, "error_class") == "timeout");
}

BOOST_AUTO_TEST_CASE(the_requests_timeout_wins_over_the_manifests) {
  auto box = toolbox({recorded("slow", 300, 200)});
  auto patient = request("slow", "t/1");
  patient.timeout_ms = 400;
  auto given = send(box, patient);
  advance(300ms);
  BOOST_REQUIRE(given->arrived());
  BOOST_TEST(summary(**given->value) == "ok n=1");
}

BOOST_AUTO_TEST_CASE(calls_in_flight_are_bounded_and_a_finished_one_makes_room) {
  auto box = toolbox({recorded("slow", 100, 1000)}, 2);
  auto first = send(box, request("slow", "t/1"));
  auto second = send(box, request("slow", "t/2"));
  settle();
  BOOST_TEST(
    answer(box, request("slow", "t/3")) == "error: overloaded: 2 calls are waiting already");
  advance(100ms);
  BOOST_TEST(first->arrived());
  BOOST_TEST(second->arrived());
  auto fourth = send(box, request("slow", "t/4"));
  advance(100ms);
  BOOST_REQUIRE(fourth->arrived());
  BOOST_TEST(summary(**fourth->value) == "ok n=1");
}

BOOST_AUTO_TEST_CASE(a_tool_that_died_is_made_again) {
  actor_tool own;
  own.make = [this](caf::actor_system& system) {
    made.push_back(spawn_tool(system, test::function("a", echo), {0, false}));
    return made.back();
  };
  auto box = toolbox({{test::manifest("a"), own}});
  BOOST_TEST(answer(box, request("a", "t/1")) == "ok n=0");
  BOOST_REQUIRE(made.size() == 1u);
  caf::anon_send_exit(made[0], caf::exit_reason::kill);
  settle();
  BOOST_TEST(answer(box, request("a", "t/2")) == "ok n=0");
  BOOST_TEST(made.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_tool_that_dies_over_a_call_is_an_error_of_that_call) {
  actor_tool own;
  own.make = [this](caf::actor_system& system) {
    made.push_back(spawn_tool(system, recorded("a", 100, 1000), {0, false}));
    return made.back();
  };
  auto box = toolbox({{test::manifest("a"), own}});
  auto first = send(box, request("a", "t/1"));
  settle();
  caf::anon_send_exit(made[0], caf::exit_reason::kill);
  settle();
  BOOST_REQUIRE(first->arrived());
  BOOST_TEST(summary(**first->value).starts_with("error: a ended before it answered"));
  auto second = send(box, request("a", "t/2"));
  advance(100ms);
  BOOST_REQUIRE(second->arrived());
  BOOST_TEST(summary(**second->value) == "ok n=1");
}

BOOST_AUTO_TEST_CASE(a_tool_for_which_there_is_no_thread_fails_and_is_made_with_the_next_call) {
  toolbox_config config;
  config.allow_threads = true;
  std::vector<tool_definition> tools{test::function("a", echo)};
  auto box =
    make<toolbox_state>(agent_context{"agent_1", clock, nullptr}, uint32_t{9}, tools, config);
  {
    test::few_threads_left none{0};
    BOOST_TEST(answer(box, request("a", "t/1")).starts_with("error: overloaded: threads: "));
  }
  BOOST_TEST(answer(box, request("a", "t/2")) == "ok n=0");
}

BOOST_AUTO_TEST_CASE(every_call_is_traced_with_its_turn_and_its_duration) {
  auto box = toolbox({recorded("b", 40, 1000)});
  auto given = send(box, request("b", "turn_1/c2"));
  advance(40ms);
  BOOST_REQUIRE(given->arrived());
  BOOST_TEST(traced()
             == R"(tools call_tool turn_1 b success {"request_id":"turn_1/c2","tool_id":"b",)"
                R"("attempt":1,"status":"ok"} 40)");
}

BOOST_AUTO_TEST_CASE(tools_that_cannot_be_made_end_the_toolbox) {
  auto box = toolbox({test::function("a", echo), test::function("a", echo)});
  settle();
  auto given = ask(box, request("a", "t/1"));
  BOOST_TEST(!given);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(what_a_program_wrote_is_shown_without_harm) {
  BOOST_TEST(printable("plain") == "plain");
  BOOST_TEST(printable("a\x1b[0m\nb\x7f") == "a?[0m?b?");
  BOOST_TEST(printable("Z\xc3\xbcrich \xe2\x82\xac") == "Zürich €");
  BOOST_TEST(printable("\xff\xc3.\xed\xa0\x80\xc0\x80") == "??.?????");
  BOOST_TEST(printable("\xe2\x82") == "??");
  BOOST_TEST(printable("abcdef", 3) == "abc…");
}

} // namespace scratchpage
