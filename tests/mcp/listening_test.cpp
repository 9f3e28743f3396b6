#include "scratchpage/tests/mcp/conformance_server/fixtures.hpp"
#include "scratchpage/tests/mcp/line_client.hpp"

/// Telling clients of changes: `subscriptions/listen` of modern ones, subscriptions of
/// legacy ones.

namespace scratchpage::test {

namespace {

struct listening_client : line_client {
  explicit listening_client(mcp::server_config config = {})
    : line_client{std::make_shared<fixtures>(), config} {}

  json::value listen(json::object filter) {
    return modern("subscriptions/listen", {{"notifications", std::move(filter)}});
  }

  /// What is heard when a tool, called in another revision, changes something.
  std::string after(const char* tool) {
    heard.clear();
    say(request_of("change", "tools/call", modern_params(call_of(tool))));
    return methods_in(heard);
  }
};

json::value subscription_of(const json::value& x) {
  return x.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId");
}

constexpr const char* tools_changed = "notifications/tools/list_changed answer";
constexpr const char* prompts_changed = "notifications/prompts/list_changed answer";
constexpr const char* resource_updated = "notifications/resources/updated answer";

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_listening, listening_client)

BOOST_AUTO_TEST_CASE(who_listens_hears_of_what_it_asked_for_with_its_own_id) {
  auto begun = listen({{"toolsListChanged", true}, {"promptsListChanged", false}});
  BOOST_TEST(method_in(begun) == "notifications/subscriptions/acknowledged");
  BOOST_TEST(to_text(begun.at("params").at("notifications")) == R"({"toolsListChanged":true})");
  BOOST_TEST(subscription_of(begun) == json::value(last_id));
  BOOST_TEST(after("test_trigger_tool_change") == tools_changed);
  BOOST_TEST(subscription_of(heard[0]) == json::value(last_id));
  BOOST_TEST(after("test_trigger_prompt_change") == "answer");
}

BOOST_AUTO_TEST_CASE(resources_are_listened_to_by_their_addresses) {
  listen({{"resourceSubscriptions", {"test://watched-resource", "test://other"}}});
  BOOST_TEST(after("test_trigger_resource_update") == resource_updated);
  BOOST_TEST(heard[0].at("params").at("uri").as_string() == "test://watched-resource");
}

BOOST_AUTO_TEST_CASE(several_listen_and_each_ends_when_its_client_cancels) {
  listen({{"toolsListChanged", true}});
  auto first = last_id;
  listen({{"toolsListChanged", true}, {"promptsListChanged", true}});
  BOOST_TEST(after("test_trigger_prompt_change") == prompts_changed);
  after("test_trigger_tool_change");
  BOOST_TEST(heard.size() == 3u);
  heard.clear();
  say(notice_of("notifications/cancelled", {{"requestId", first}}));
  BOOST_TEST(heard.empty());
  BOOST_TEST(after("test_trigger_tool_change") == tools_changed);
}

BOOST_AUTO_TEST_CASE(who_listens_to_nothing_is_told_so_at_once) {
  auto ended = listen(json::object{});
  BOOST_TEST(methods_in(heard) == "notifications/subscriptions/acknowledged answer");
  BOOST_TEST(ended.at("result").at("resultType").as_string() == "complete");
  BOOST_TEST(code_in(modern("subscriptions/listen")) == -32602);
  BOOST_TEST(code_in(listen({{"resourceSubscriptions", "test://x"}})) == -32602);
}

BOOST_AUTO_TEST_CASE(only_so_many_may_listen) {
  listening_client few{mcp::server_config{.most_listening = 1, .most_uris = 1}};
  few.listen({{"toolsListChanged", true}});
  auto first = few.last_id;
  BOOST_TEST(code_in(few.listen({{"toolsListChanged", true}})) == -32603);
  few.say(notice_of("notifications/cancelled", {{"requestId", first}}));
  BOOST_TEST(method_in(few.listen({{"toolsListChanged", true}}))
             == "notifications/subscriptions/acknowledged");
  BOOST_TEST(code_in(few.listen({{"resourceSubscriptions", {"a:a", "b:b"}}})) == -32602);
}

BOOST_AUTO_TEST_CASE(a_session_hears_of_lists_and_of_what_it_subscribed_to) {
  BOOST_TEST(after("test_trigger_tool_change") == "answer"); // it has not begun
  begin();
  BOOST_TEST(after("test_trigger_tool_change") == tools_changed);
  BOOST_TEST(after("test_trigger_resource_update") == "answer");
  json::object watched{{"uri", "test://watched-resource"}};
  legacy("resources/subscribe", watched);
  legacy("resources/subscribe", watched);
  BOOST_TEST(after("test_trigger_resource_update") == resource_updated);
  legacy("resources/unsubscribe", watched);
  BOOST_TEST(after("test_trigger_resource_update") == "answer");
  BOOST_TEST(code_in(legacy("resources/subscribe")) == -32602);
}

BOOST_AUTO_TEST_CASE(a_client_that_ends_its_input_does_not_listen_any_more) {
  listen({{"toolsListChanged", true}});
  begin({{"elicitation", json::object{}}});
  legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  heard.clear();
  auto before = done;
  session->close();
  strand->run();
  BOOST_TEST(done == before + 1);
  BOOST_REQUIRE(heard.size() == 1u); // the call that waited
  BOOST_TEST(code_in(heard[0]) == -32603);
  BOOST_TEST(after("test_trigger_tool_change") == "answer");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
