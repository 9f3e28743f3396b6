#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"
#include "scratchpage/tests/runtime/mcp/server/line_client.hpp"

/// Calls in both revisions: progress, log messages and cancellation, and the methods of each
/// revision.

namespace scratchpage::test {

namespace {

struct telling_client : line_client {
  telling_client()
    : line_client{std::make_shared<fixtures>()} {}

  /// The progress notifications that the client received.
  std::vector<double> progress() const {
    std::vector<double> result;
    for (const auto& x : heard)
      if (method_in(x) == "notifications/progress")
        result.push_back(x.at("params").at("progress").to_number<double>());
    return result;
  }
};

json::object with_token(json::value token) {
  return {{"progressToken", std::move(token)}};
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_call, telling_client)

BOOST_AUTO_TEST_CASE(progress_is_told_to_whoever_gives_a_token) {
  const std::vector<double> steps{0, 50, 100};
  modern("tools/call", call_of("test_tool_with_progress"), {}, with_token("p1"));
  BOOST_TEST(progress() == steps, boost::test_tools::per_element());
  BOOST_TEST(heard[0].at("params").at("progressToken").as_string() == "p1");
  BOOST_TEST(heard[0].at("params").at("total").to_number<double>() == 100);
  begin();
  auto params = call_of("test_tool_with_progress");
  params["_meta"] = with_token(7);
  legacy("tools/call", std::move(params));
  BOOST_TEST(progress() == steps, boost::test_tools::per_element());
  BOOST_TEST(heard[0].at("params").at("progressToken").to_number<int>() == 7);
  legacy("tools/call", call_of("test_tool_with_progress"));
  BOOST_TEST(progress().empty());
}

BOOST_AUTO_TEST_CASE(log_messages_come_at_the_level_that_a_request_asks_for) {
  auto at = [](const char* level) {
    return json::object{{"io.modelcontextprotocol/logLevel", level}};
  };
  modern("tools/call", call_of("test_logging_tool"));
  BOOST_TEST(methods_in(heard) == "answer");
  modern("tools/call", call_of("test_logging_tool"), {}, at("info"));
  BOOST_TEST(heard.size() == 4u);
  BOOST_TEST(heard[0].at("params").at("level").as_string() == "info");
  modern("tools/call", call_of("test_logging_tool"), {}, at("warning"));
  BOOST_TEST(heard.size() == 1u);
  BOOST_TEST(code_in(modern("tools/list", {}, {}, at("loud"))) == -32602);
}

BOOST_AUTO_TEST_CASE(log_messages_come_at_the_level_that_a_session_has_set) {
  begin();
  legacy("tools/call", call_of("test_tool_with_logging"));
  BOOST_TEST(heard.size() == 4u);
  BOOST_TEST(to_text(legacy("logging/setLevel", {{"level", "error"}}).at("result")) == "{}");
  legacy("tools/call", call_of("test_tool_with_logging"));
  BOOST_TEST(heard.size() == 1u);
  BOOST_TEST(code_in(legacy("logging/setLevel", {{"level", "loud"}})) == -32602);
}

BOOST_AUTO_TEST_CASE(a_cancelled_request_has_no_answer) {
  begin({{"elicitation", json::object{}}});
  auto asked = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  BOOST_TEST(method_in(asked) == "elicitation/create");
  auto waiting = done;
  heard.clear();
  say(notice_of("notifications/cancelled", {{"requestId", last_id}}));
  BOOST_TEST(done == waiting + 2); // this line, and the cancelled request
  say(json::object{{"jsonrpc", "2.0"}, {"id", asked.at("id")},
    {"result", {{"action", "accept"}, {"content", json::object{}}}}});
  BOOST_TEST(heard.empty());
  BOOST_TEST(!legacy("ping").at("result").is_null());
}

BOOST_AUTO_TEST_CASE(an_id_serves_one_request_at_a_time) {
  begin({{"elicitation", json::object{}}});
  legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  BOOST_TEST(code_in(hear(request_of(last_id, "ping"))) == -32600);
  auto as_text = hear(request_of(json::string{std::to_string(last_id)}, "ping"));
  BOOST_TEST(as_text.as_object().contains("result")); // a text is another id than a number
  auto large = hear(request_of(1'795'000'000'000, "ping"));
  BOOST_TEST(large.at("id").to_number<int64_t>() == 1'795'000'000'000);
}

BOOST_AUTO_TEST_CASE(each_revision_has_its_own_methods) {
  for (const auto* gone : {"initialize", "ping", "logging/setLevel", "resources/subscribe",
         "resources/unsubscribe", "tasks/list", "unknown"})
    BOOST_TEST(code_in(modern(gone)) == -32601, gone);
  begin();
  for (const auto* not_yet : {"subscriptions/listen", "tasks/list", "unknown"})
    BOOST_TEST(code_in(legacy(not_yet)) == -32601, not_yet);
  BOOST_TEST(code_in(legacy("server/discover")) == -32602);
}

BOOST_AUTO_TEST_CASE(arguments_are_completed) {
  json::object of{{"ref", {{"type", "ref/prompt"}, {"name", "test_prompt_with_arguments"}}},
    {"argument", {{"name", "arg1"}, {"value", "par"}}}};
  auto found = legacy("completion/complete", of).at("result").at("completion").at("values");
  BOOST_TEST(found.as_array().size() == 3u);
  BOOST_TEST(code_in(legacy("completion/complete")) == -32602);
}

BOOST_AUTO_TEST_CASE(a_prompt_says_what_it_misses) {
  auto refused =
    legacy("prompts/get", {{"name", "test_prompt_with_arguments"}, {"arguments", {{"arg1", "x"}}}});
  BOOST_TEST(code_in(refused) == -32602);
  BOOST_TEST(refused.at("error").at("message").as_string() == "arguments.arg2: expected a text");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
