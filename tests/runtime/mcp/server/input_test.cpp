#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"
#include "scratchpage/tests/runtime/mcp/server/line_client.hpp"

/// Asking the client during a tool call: by requests to clients of 2025-11-25, and by the result
/// to clients of 2026-07-28.

namespace scratchpage::test {

namespace {

const json::object everything{
  {"elicitation", json::object{}}, {"sampling", json::object{}}, {"roots", json::object{}}};

json::object accepted(json::object content) {
  return {{"action", "accept"}, {"content", std::move(content)}};
}

struct asked_client : line_client {
  asked_client()
    : line_client{std::make_shared<fixtures>()} {}

  /// Calls a tool in revision 2026-07-28, with earlier answers and the state of the last result.
  json::value call(std::string_view tool, json::object responses = {}, json::value state = {},
    json::object arguments = {}) {
    auto params = call_of(tool, std::move(arguments));
    if (!responses.empty())
      params["inputResponses"] = std::move(responses);
    if (!state.is_null())
      params["requestState"] = std::move(state);
    return modern("tools/call", std::move(params), everything);
  }

  /// Answers a question in revision 2025-11-25.
  json::value reply(const json::value& question, json::object result) {
    return hear({{"jsonrpc", "2.0"}, {"id", question.at("id")}, {"result", std::move(result)}});
  }
};

bool asks(const json::value& x, std::string_view name, std::string_view method) {
  const auto& result = x.at("result").as_object();
  return result.at("resultType") == "input_required"
         && result.at("inputRequests").at(view(name)).at("method") == view(method);
}

json::value state_in(const json::value& x) {
  return x.at("result").at("requestState");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_input, asked_client)

BOOST_AUTO_TEST_CASE(a_modern_client_is_asked_by_the_result_and_calls_again) {
  const auto* tool = "test_input_required_result_elicitation";
  auto first = call(tool);
  BOOST_TEST(asks(first, "user_name", "elicitation/create"));
  BOOST_TEST(!first.at("result").as_object().contains("ttlMs"));
  auto second = call(tool, {{"user_name", accepted({{"name", "Ann"}})}, {"other", json::object{}}});
  BOOST_TEST(text_in_result(second) == "Hello, Ann!");
  BOOST_TEST(second.at("result").at("resultType").as_string() == "complete");
}

BOOST_AUTO_TEST_CASE(an_answer_to_something_else_is_asked_for_again) {
  const auto* tool = "test_input_required_result_elicitation";
  BOOST_TEST(asks(call(tool, {{"wrong", accepted({})}}), "user_name", "elicitation/create"));
  BOOST_TEST(
    asks(call(tool, {{"user_name", {{"action", "accept"}}}}), "user_name", "elicitation/create"));
  BOOST_TEST(code_in(call(tool, {{"user_name", 12345}})) == -32602);
  auto params = call_of(tool);
  params["inputResponses"] = nullptr;
  BOOST_TEST(code_in(modern("tools/call", params, everything)) == -32602);
}

BOOST_AUTO_TEST_CASE(several_rounds_carry_what_was_answered_in_a_sealed_state) {
  const auto* tool = "test_input_required_result_multi_round";
  auto first = call(tool);
  BOOST_TEST(asks(first, "step1", "elicitation/create"));
  auto second = call(tool, {{"step1", accepted({{"name", "Ann"}})}}, state_in(first));
  BOOST_TEST(asks(second, "step2", "elicitation/create"));
  BOOST_TEST(state_in(first) != state_in(second));
  auto third = call(tool, {{"step2", accepted({{"color", "blue"}})}}, state_in(second));
  BOOST_TEST(text_in_result(third) == "Ann likes blue");
}

BOOST_AUTO_TEST_CASE(a_state_that_was_tampered_with_is_refused) {
  const auto* tool = "test_input_required_result_tampered_state";
  json::object answers{{"confirm", accepted({{"ok", true}})}};
  auto state = std::string{state_in(call(tool)).as_string()};
  BOOST_TEST(code_in(call(tool, answers, json::string{state + "-TAMPERED"})) == -32602);
  auto changed = state;
  changed[3] = changed[3] == 'A' ? 'B' : 'A';
  BOOST_TEST(code_in(call(tool, answers, json::string{changed})) == -32602);
  BOOST_TEST(code_in(call(tool, answers, "x.y")) == -32602);
  BOOST_TEST(code_in(call(tool, answers, 7)) == -32602);
  BOOST_TEST(text_in_result(call(tool, answers, json::string{state})) == "state-ok");
}

BOOST_AUTO_TEST_CASE(a_state_belongs_to_its_tool_and_arguments_and_not_for_ever) {
  const auto* tool = "test_input_required_result_request_state";
  json::object answers{{"confirm", accepted({{"ok", true}})}};
  auto state = state_in(call(tool));
  BOOST_TEST(code_in(call("test_input_required_result_tampered_state", answers, state)) == -32602);
  BOOST_TEST(code_in(call(tool, answers, state, {{"amount", 100}})) == -32602);
  asked_client another;
  BOOST_TEST(code_in(another.call(tool, answers, state)) == -32602);      // has another key
  BOOST_TEST(asks(call(tool, answers), "confirm", "elicitation/create")); // asked again
  strand->advance(std::chrono::minutes{11});
  BOOST_TEST(code_in(call(tool, answers, state)) == -32602);
}

BOOST_AUTO_TEST_CASE(a_modern_client_is_asked_only_what_it_can_answer) {
  auto refused = modern("tools/call", call_of("test_missing_capability"));
  BOOST_TEST(code_in(refused) == -32021);
  BOOST_TEST(refused.at("error").at("data").at("requiredCapabilities").at("sampling").is_object());
  BOOST_TEST(
    code_in(modern("tools/call", call_of("test_input_required_result_sampling"))) == -32021);
  auto possible = modern("tools/call", call_of("test_input_required_result_capabilities"),
    {{"sampling", json::object{}}});
  BOOST_TEST(possible.at("result").at("inputRequests").as_object().size() == 1u);
  BOOST_TEST(asks(possible, "model", "sampling/createMessage"));
}

BOOST_AUTO_TEST_CASE(a_prompt_may_ask_as_well) {
  json::object params{{"name", "test_input_required_result_prompt"}};
  auto first = modern("prompts/get", params, everything);
  BOOST_TEST(asks(first, "user_context", "elicitation/create"));
  params["inputResponses"] = json::object{{"user_context", accepted({{"context", "a trip"}})}};
  auto second = modern("prompts/get", params, everything).at("result").at("messages").at(0);
  BOOST_TEST(second.at("content").at("text").as_string() == "Context: a trip");
}

BOOST_AUTO_TEST_CASE(a_legacy_client_is_asked_while_the_tool_waits) {
  begin(everything);
  auto question = legacy("tools/call", call_of("test_sampling", {{"prompt", "Hm?"}}));
  BOOST_TEST(method_in(question) == "sampling/createMessage");
  auto answer = reply(question,
    {{"role", "assistant"}, {"model", "m"}, {"content", {{"type", "text"}, {"text", "Well"}}}});
  BOOST_TEST(text_in_result(answer) == "LLM response: Well");
  BOOST_TEST(answer.at("id").to_number<int>() == last_id);
}

BOOST_AUTO_TEST_CASE(the_same_tool_serves_both_revisions) {
  begin(everything);
  auto first = legacy("tools/call", call_of("test_input_required_result_multi_round"));
  auto second = reply(first, accepted({{"name", "Bob"}}));
  BOOST_TEST(method_in(second) == "elicitation/create");
  auto last = reply(second, accepted({{"color", "red"}}));
  BOOST_TEST(text_in_result(last) == "Bob likes red");
}

BOOST_AUTO_TEST_CASE(a_legacy_client_that_cannot_refuses_or_says_nonsense_ends_the_call) {
  begin();
  BOOST_TEST(code_in(legacy("tools/call", call_of("test_sampling", {{"prompt", "x"}}))) == -32602);
  begin(everything);
  auto question = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  BOOST_TEST(code_in(reply(question, {{"nonsense", true}})) == -32603);
  question = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  auto refused = hear(
    {{"jsonrpc", "2.0"}, {"id", question.at("id")}, {"error", {{"code", -1}, {"message", "No"}}}});
  BOOST_TEST(refused.at("error").at("message").as_string() == "the client refused: No");
}

BOOST_AUTO_TEST_CASE(a_legacy_client_that_says_nothing_is_waited_for_not_for_ever) {
  begin(everything);
  auto question = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  heard.clear();
  strand->advance(std::chrono::minutes{9});
  BOOST_TEST(heard.empty());
  strand->advance(std::chrono::minutes{2});
  BOOST_REQUIRE(heard.size() == 1u);
  BOOST_TEST(code_in(heard[0]) == -32603);
  BOOST_TEST(reply(question, accepted({})).is_null()); // the reply is too late
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
