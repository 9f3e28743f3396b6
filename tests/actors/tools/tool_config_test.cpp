#include "scratchpage/actors/tools/tool_definition.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/tools.hpp"

namespace scratchpage {

namespace {

std::string refused(std::string_view text) {
  auto tool = read_tool(*parse_json(text));
  return tool ? "accepted" : describe(tool.error());
}

} // namespace

BOOST_AUTO_TEST_SUITE(tool_config_test)

BOOST_AUTO_TEST_CASE(a_process_tool_is_read_with_its_manifest) {
  auto tool = read_tool(*parse_json(R"({
    "tool_id": "weather", "description": "d", "inputs": {"type": "object"}, "timeout_ms": 2000,
    "alternatives": ["almanac"], "idempotent": true, "tags": ["verification"],
    "kind": "process", "command": ["python3", "weather.py"], "env": {"LANG": "C"},
    "working_directory": "/tmp", "max_line_bytes": 1000, "max_queued": 3, "grace_ms": 50})"));
  BOOST_REQUIRE(tool);
  BOOST_TEST(tool->manifest.tool_id == "weather");
  BOOST_TEST(tool->manifest.timeout_ms == 2000);
  BOOST_TEST(tool->manifest.idempotent);
  const auto& process = std::get<process_tool>(tool->kind);
  BOOST_TEST((process.command == std::vector<std::string>{"python3", "weather.py"}));
  BOOST_TEST(process.env.at("LANG") == "C");
  BOOST_TEST(process.max_line_bytes == 1000u);
  BOOST_TEST(process.max_queued == 3u);
  BOOST_TEST((process.grace == std::chrono::milliseconds{50}));
}

BOOST_AUTO_TEST_CASE(a_recorded_tool_is_read_with_answers_latencies_and_faults) {
  auto tool = read_tool(*parse_json(R"({
    "tool_id": "weather", "kind": "recorded", "after_last": "repeat",
    "latency": {"min_ms": 10, "max_ms": 20},
    "faults": {"fault": "timeout", "on_attempt": 2},
    "responses": [{"call_id": "c1", "outputs": {"t": 5}, "observations": [{"type": "alert"}]},
                  {"status": "error", "outputs": {"error": "no"}, "latency_ms": 3}]})"));
  BOOST_REQUIRE(tool);
  const auto& recorded = std::get<recorded_tool>(tool->kind);
  BOOST_REQUIRE(recorded.responses.size() == 2u);
  BOOST_TEST(recorded.responses[0].call_id == "c1");
  BOOST_TEST(recorded.responses[0].observations.size() == 1u);
  BOOST_TEST(to_string(recorded.responses[1].status) == "error");
  BOOST_TEST(recorded.responses[1].latency_ms.value() == 3);
  BOOST_TEST(recorded.latency.max_ms == 20);
  BOOST_TEST(to_string(recorded.after_last) == "repeat");
  BOOST_REQUIRE(recorded.faults.size() == 1u);
  BOOST_TEST(recorded.faults[0].on_attempt == 2u);
}

BOOST_AUTO_TEST_CASE(one_latency_in_milliseconds_is_a_range_of_one) {
  auto tool = read_tool(*parse_json(R"({"tool_id": "t", "kind": "recorded", "latency_ms": 40})"));
  BOOST_REQUIRE(tool);
  BOOST_TEST(std::get<recorded_tool>(tool->kind).latency.min_ms == 40);
  BOOST_TEST(std::get<recorded_tool>(tool->kind).latency.max_ms == 40);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made_is_refused_by_field) {
  BOOST_TEST(refused(R"({"kind": "recorded"})")
             == "invalid_request: tool_id: expected a value; it is required");
  BOOST_TEST(refused(R"({"tool_id": "", "kind": "recorded"})")
             == "invalid_request: tool_id: expected a name that is not empty");
  BOOST_TEST(refused(R"({"tool_id": "t", "kind": "function"})")
             == "invalid_request: kind: expected one of process, recorded");
  BOOST_TEST(refused(R"({"tool_id": "t", "kind": "process"})")
             == "invalid_request: command: expected a program and its arguments");
  BOOST_TEST(refused(R"({"tool_id": "t", "kind": "recorded", "command": ["sh"]})")
             == "invalid_request: command: no such field of a tool of the kind recorded");
  BOOST_TEST(refused(R"({"tool_id": "t", "kind": "process", "command": ["sh"], "latency_ms": 1})")
             == "invalid_request: latency_ms: no such field of a tool of the kind process");
  BOOST_TEST(refused(R"({"tool_id": "t", "kind": "recorded", "timeout_ms": 0})")
             == "invalid_request: timeout_ms: expected milliseconds above 0");
  BOOST_TEST(
    refused(R"({"tool_id": "t", "kind": "recorded", "latency": {"min_ms": 2, "max_ms": 1}})")
    == "invalid_request: latency: expected 0 <= min_ms <= max_ms");
  BOOST_TEST(refused(R"({"tool_id": "t", "kind": "recorded", "responses": [{"latency_ms": -1}]})")
             == "invalid_request: responses[0].latency_ms: expected milliseconds, not negative");
  BOOST_TEST(refused(R"({"tool_id": "t", "kind": "recorded", "inputs": {"type": "text"}})")
             == "invalid_request: inputs.type: expected a JSON type or a list of them");
}

BOOST_AUTO_TEST_CASE(an_unknown_field_is_refused_with_its_path) {
  auto text = refused(R"({"tool_id": "t", "kind": "recorded", "responses": [{"output": {}}]})");
  BOOST_TEST(text.starts_with("invalid_request: responses[0].output: unknown field"), text);
  text = refused(R"({"tool_id": "t", "kind": "recorded", "respones": []})");
  BOOST_TEST(text.starts_with("invalid_request: respones: unknown field"), text);
}

BOOST_AUTO_TEST_CASE(no_tool_is_there_twice) {
  std::vector<tool_definition> twice{
    {test::manifest("t"), recorded_tool{}}, {test::manifest("t"), recorded_tool{}}};
  BOOST_TEST(describe(validate(twice))
             == "invalid_request: tool_id: expected each tool once, but t is there twice");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
