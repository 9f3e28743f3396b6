#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/mcp/server/http_response_channel.hpp"
#include "scratchpage/runtime/mcp/server/subscriptions.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"
#include "scratchpage/tests/runtime/mcp/server/fake_exchange.hpp"
#include "scratchpage/tests/runtime/mcp/server/line_client.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// Notifications of changes: `subscriptions/listen` of revision 2026-07-28, and subscriptions of
/// 2025-11-25.

namespace scratchpage::test {

namespace {

struct listening_client : line_client {
  explicit listening_client(mcp::server_config config = {})
    : line_client{std::make_shared<fixtures>(), std::move(config)} {}

  json::value listen(json::object filter) {
    return modern("subscriptions/listen", {{"notifications", std::move(filter)}});
  }

  json::value listen_to(std::initializer_list<std::string> uris) {
    json::array all;
    for (const auto& x : uris)
      all.emplace_back(x);
    return listen({{"resourceSubscriptions", std::move(all)}});
  }

  json::value subscribe(const std::string& uri) {
    return legacy("resources/subscribe", {{"uri", uri}});
  }

  /// The methods of the messages that come when a tool changes something.
  std::string after(const char* tool) {
    heard.clear();
    say(request_of("change", "tools/call", modern_params(call_of(tool))));
    return methods_in(heard);
  }
};

json::value subscription_of(const json::value& x) {
  return x.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId");
}

bool is_done(const json::value& x) {
  return x.as_object().contains("result");
}

/// Fixtures with a resource that the client may not read.
struct barred_fixtures : fixtures {
  std::optional<mcp::error> check_reader(const principal&, const std::string& uri) const override {
    if (uri != "test://watched-resource")
      return std::nullopt;
    return mcp::invalid_params("by.role: expected another");
  }
};

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
  listen({{"resourceSubscriptions", {"test://watched-resource", "test://static-text"}}});
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
  listening_client few{mcp::server_config{.max_listening = 1, .max_uris = 1}};
  few.listen({{"toolsListChanged", true}});
  auto first = few.last_id;
  BOOST_TEST(code_in(few.listen({{"toolsListChanged", true}})) == -32603);
  few.say(notice_of("notifications/cancelled", {{"requestId", first}}));
  BOOST_TEST(method_in(few.listen({{"toolsListChanged", true}}))
             == "notifications/subscriptions/acknowledged");
  BOOST_TEST(code_in(few.listen_to({"test://static-text", "test://static-binary"})) == -32602);
}

BOOST_AUTO_TEST_CASE(what_is_no_resource_is_listened_to_in_no_revision) {
  begin();
  auto refused = listen_to({"test://watched-resource", "test://none"});
  BOOST_TEST(code_in(refused) == -32602);
  BOOST_TEST(refused.at("error").at("data").at("uri").as_string() == "test://none");
  refused = subscribe("test://none");
  BOOST_TEST(code_in(refused) == -32002);
  BOOST_TEST(refused.at("error").at("data").at("uri").as_string() == "test://none");
  BOOST_TEST(after("test_trigger_resource_update") == "answer");
}

BOOST_AUTO_TEST_CASE(who_may_not_read_a_resource_hears_of_none_of_its_changes_in_any_revision) {
  line_client barred{std::make_shared<barred_fixtures>()};
  barred.begin();
  json::object uri{{"uri", "test://watched-resource"}};
  BOOST_TEST(code_in(barred.legacy("resources/subscribe", uri)) == -32602);
  json::object filter{{"resourceSubscriptions", {"test://static-text", "test://watched-resource"}}};
  BOOST_TEST(code_in(barred.modern("subscriptions/listen", {{"notifications", std::move(filter)}}))
             == -32602);
  barred.heard.clear();
  barred.say(
    request_of("change", "tools/call", modern_params(call_of("test_trigger_resource_update"))));
  BOOST_TEST(methods_in(barred.heard) == "answer");
}

BOOST_AUTO_TEST_CASE(an_address_that_is_listened_to_is_short) {
  begin();
  auto uri = "test://template/" + std::string(300, 'x') + "/data";
  BOOST_TEST(code_in(listen_to({uri})) == -32602);
  BOOST_TEST(code_in(subscribe(uri)) == -32602);
}

BOOST_AUTO_TEST_CASE(a_client_has_so_many_resources_in_all_that_it_listens_to) {
  listening_client few{mcp::server_config{.max_uris_of_client = 2}};
  few.begin();
  few.listen_to({"test://static-text"});
  auto first = few.last_id;
  BOOST_TEST(is_done(few.subscribe("test://static-text")));
  BOOST_TEST(is_done(few.subscribe("test://static-text"))); // subscribing again is no further place
  BOOST_TEST(code_in(few.subscribe("test://static-binary")) == -32603);
  BOOST_TEST(code_in(few.listen_to({"test://static-text"})) == -32603);
  few.legacy("resources/unsubscribe", {{"uri", "test://static-text"}});
  BOOST_TEST(is_done(few.subscribe("test://static-binary")));
  few.say(notice_of("notifications/cancelled", {{"requestId", first}}));
  BOOST_TEST(is_done(few.subscribe("test://watched-resource")));
  BOOST_TEST(code_in(few.listen_to({"test://static-text"})) == -32603);
}

BOOST_AUTO_TEST_CASE(a_call_that_stays_open_keeps_nothing_of_what_it_was_asked_with) {
  auto parts = std::make_shared<mcp::call_parts>();
  parts->on = strand;
  mcp::call::setup x;
  x.asked.id = 1;
  x.asked.params["filler"] = "x";
  x.said.capabilities["filler"] = json::object{};
  x.said.spoken = mcp::protocol_generation::modern;
  x.back = std::make_shared<mcp::http_response_channel>(
    strand, std::make_shared<fake_exchange>(), mcp::protocol_generation::modern);
  auto by = std::make_shared<mcp::call>(parts, std::move(x));
  by->stay_open();
  BOOST_TEST(by->params().empty());
  BOOST_TEST(!by->client_can("filler"));
}

BOOST_AUTO_TEST_CASE(an_id_that_a_session_would_keep_is_short) {
  BOOST_TEST(is_done(hear(request_of(json::string(1'024, 'x'), "ping"))));
  BOOST_TEST(code_in(hear(request_of(json::string(1'025, 'x'), "ping"))) == -32600);
}

BOOST_AUTO_TEST_CASE(names_that_nobody_has_checked_share_the_resources_of_one_client) {
  mcp::resource_places places{2, 3};
  auto first = places.take(claimed("one"), 1);
  auto second = places.take(claimed("two"), 1);
  BOOST_TEST(!places.take(claimed("three"), 1));
  auto of_ann = places.take(as_user("ann"), 1);
  BOOST_TEST((of_ann != nullptr));
  BOOST_TEST(!places.take(as_user("bob"), 1)); // there are three places
  first.reset();
  BOOST_TEST((places.take(claimed("three"), 1) != nullptr));
}

BOOST_AUTO_TEST_CASE(who_listens_to_no_resource_takes_no_place) {
  mcp::resource_places places{1, 1};
  auto first = places.take(as_user("ann"), 0);
  auto second = places.take(as_user("ann"), 0);
  auto third = places.take(as_user("ann"), 1);
  BOOST_TEST((third != nullptr));
  first.reset();
  second.reset();
  BOOST_TEST(!places.take(as_user("ann"), 1));
}

BOOST_AUTO_TEST_CASE(nobody_begins_to_listen_while_there_is_no_memory) {
  auto is_full = false;
  mcp::server_config config;
  config.check_memory = [&] {
    return is_full ? fail(errc::overloaded, "memory", "expected less") : caf::error{};
  };
  listening_client client{config};
  client.begin();
  is_full = true;
  BOOST_TEST(code_in(client.listen({{"toolsListChanged", true}})) == -32603);
  auto refused = client.subscribe("test://watched-resource");
  BOOST_TEST(refused.at("error").at("data").at("field").as_string() == "memory");
  is_full = false;
  BOOST_TEST(is_done(client.subscribe("test://watched-resource")));
}

BOOST_AUTO_TEST_CASE(a_session_hears_of_lists_and_of_what_it_subscribed_to) {
  BOOST_TEST(after("test_trigger_tool_change") == "answer"); // the session has not begun
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
  BOOST_REQUIRE(heard.size() == 1u); // the call that was waiting
  BOOST_TEST(code_in(heard[0]) == -32603);
  BOOST_TEST(after("test_trigger_tool_change") == "answer");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
