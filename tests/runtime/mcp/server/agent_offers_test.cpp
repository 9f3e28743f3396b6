#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"
#include "scratchpage/tests/runtime/mcp/server/line_client.hpp"

/// The tools, resources and prompts that an agent offers over MCP.

namespace scratchpage::test {

namespace {

caf::expected<std::string> result_text(const caf::expected<json::value>& x) {
  if (!x)
    return x.error();
  return to_text(*x);
}

/// Operations with answers that the test prepares.
struct prepared_operations {
  std::map<std::string, caf::expected<json::value>> operations;
  std::vector<std::pair<std::string, json::object>> asked;

  perform_operation run() {
    return [this](const principal& who, std::string name, json::object arguments,
             const on_answer& then) {
      BOOST_TEST(who.thread_id == "main");
      auto found = operations.find(name);
      asked.emplace_back(std::move(name), std::move(arguments));
      then(found != operations.end() ? result_text(found->second)
                                     : fail(errc::internal, "", "unexpected"));
    };
  }

  void answer(std::string name, caf::expected<json::value> result) {
    operations.insert_or_assign(std::move(name), std::move(result));
  }
};

struct agent_client : prepared_operations, line_client {
  agent_client()
    : line_client{std::make_shared<mcp::agent_provider>(run())} {}
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_agent_offers, agent_client)

/// What a client shows a model of each tool: its name, its description and its input schema. With
/// so much punctuation, the estimate is some 2.2 times as high as the count of a common tokenizer
/// (o200k_base).
uint32_t tokens_of(const json::array& tools) {
  uint32_t result = 0;
  for (const auto& x : tools)
    result += estimate_tokens(to_text(json::value{{"name", x.at("name")},
      {"description", x.at("description")}, {"inputSchema", x.at("inputSchema")}}));
  return result;
}

BOOST_AUTO_TEST_CASE(the_definitions_of_all_tools_are_small) {
  mcp::agent_provider offers{run()};
  BOOST_TEST(tokens_of(offers.tools()) < 7'600u);
  principal simple{as_daemon("tester"), "main"};
  simple.simple_tools = true;
  BOOST_TEST(offers.tools_for(simple).size() == 3u);
  BOOST_TEST(tokens_of(offers.tools_for(simple)) < 1'700u);
  auto words = offers.instructions_for(simple);
  BOOST_TEST(words.find("recall") != std::string::npos);
  BOOST_TEST(words.find("add_observation") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_session_agrees_on_a_version_that_both_speak) {
  auto begun = legacy("initialize", {{"protocolVersion", "2025-06-18"}}).at("result");
  BOOST_TEST(begun.at("protocolVersion").as_string() == "2025-06-18");
  BOOST_TEST(begun.at("serverInfo").at("name").as_string() == "scratchpage");
  auto newest = legacy("initialize", {{"protocolVersion", "1999-01-01"}}).at("result");
  BOOST_TEST(newest.at("protocolVersion").as_string() == "2025-11-25");
  BOOST_TEST(code_in(legacy("initialize")) == -32602);
  BOOST_TEST(to_text(legacy("ping").at("result")) == "{}");
}

BOOST_AUTO_TEST_CASE(a_modern_client_discovers_and_says_its_version_each_time) {
  auto found = modern("server/discover").at("result");
  BOOST_TEST(found.at("supportedVersions").at(0).as_string() == "2026-07-28");
  BOOST_TEST(found.at("resultType").as_string() == "complete");
  BOOST_TEST(found.at("ttlMs").to_number<int>() == 0);
  BOOST_TEST(found.at("cacheScope").as_string() == "private");
  BOOST_TEST(found.at("_meta").at("io.modelcontextprotocol/serverInfo").at("name").as_string()
             == "scratchpage");
  BOOST_TEST(found.at("instructions").as_string().find("not instructions") != json::string::npos);
}

BOOST_AUTO_TEST_CASE(results_for_older_clients_have_nothing_new_in_them) {
  auto tools = legacy("tools/list").at("result").as_object();
  BOOST_TEST(tools.size() == 1u);
  const auto& first = tools.at("tools").at(0);
  BOOST_TEST(first.at("name").as_string() == "add_observation");
  BOOST_TEST(first.at("inputSchema").at("type").as_string() == "object");
  BOOST_TEST(first.at("annotations").at("readOnlyHint").as_bool() == false);
}

BOOST_AUTO_TEST_CASE(a_tool_is_an_operation_and_answers_text_and_structure) {
  answer("add_observation", json::object{{"observation_id", "obs_1"}});
  auto result = modern("tools/call", call_of("add_observation", {{"type", "alert"}})).at("result");
  BOOST_TEST(result.at("structuredContent").at("observation_id").as_string() == "obs_1");
  BOOST_TEST(result.at("content").at(0).at("text").as_string() == R"({"observation_id":"obs_1"})");
  BOOST_TEST(result.at("resultType").as_string() == "complete");
  BOOST_TEST(result.at("_meta").at("io.modelcontextprotocol/serverInfo").at("name").as_string()
             == "scratchpage");
  BOOST_REQUIRE(asked.size() == 1u);
  BOOST_TEST(asked[0].second.at("type").as_string() == "alert");
  answer("get_observation", nullptr);
  auto none = legacy("tools/call", call_of("get_observation")).at("result");
  BOOST_TEST(none.at("structuredContent").at("result").is_null());
  BOOST_TEST(none.at("content").at(0).at("text").as_string() == R"({"result":null})");
  BOOST_TEST(!none.as_object().contains("resultType"));
}

BOOST_AUTO_TEST_CASE(a_tool_that_fails_says_why_and_an_unknown_one_is_an_error) {
  operations.emplace("add_observation", fail(errc::invalid_observation, "content", "expected one"));
  auto failed = legacy("tools/call", call_of("add_observation")).at("result");
  BOOST_TEST(failed.at("isError").as_bool());
  BOOST_TEST(failed.at("content").at(0).at("text").as_string()
             == "invalid_observation: content: expected one. add_observation needs type, content "
                "and takes confidence, tags, context, ttl_minutes, turn_id");
  BOOST_TEST(code_in(legacy("tools/call", call_of("fly"))) == -32602);
  BOOST_TEST(code_in(legacy("tools/call", call_of("register_type"))) == -32602); // not for models
  BOOST_TEST(code_in(legacy("tools/call")) == -32602);
  BOOST_TEST(code_in(legacy("tools/call", {{"name", "goals_list"}, {"arguments", 7}})) == -32602);
}

BOOST_AUTO_TEST_CASE(who_may_only_read_changes_nothing) {
  line_client reader{std::make_shared<mcp::agent_provider>(run()), {}, false};
  answer("goals_list", json::object{});
  answer("add_observation", json::object{});
  auto refused = reader.legacy("tools/call", call_of("add_observation")).at("result");
  BOOST_TEST(refused.at("isError").as_bool());
  BOOST_TEST(asked.empty());
  auto read = reader.legacy("tools/call", call_of("goals_list")).at("result");
  BOOST_TEST(!read.as_object().contains("isError"));
}

BOOST_AUTO_TEST_CASE(resources_are_read_by_their_uri) {
  answer("goals_list", json::object{{"goals", json::array{}}});
  answer("get_observation", nullptr);
  auto read = legacy("resources/read", {{"uri", "scratchpage://goals"}}).at("result");
  BOOST_TEST(read.at("contents").at(0).at("text").as_string() == R"({"goals":[]})");
  auto gone = json::object{{"uri", "scratchpage://observations/obs_1"}};
  BOOST_TEST(code_in(legacy("resources/read", gone)) == -32002);
  BOOST_TEST(code_in(modern("resources/read", gone)) == -32602);
  BOOST_TEST(asked.back().second.at("observation_id").as_string() == "obs_1");
  BOOST_TEST(code_in(modern("resources/read", {{"uri", "file:///etc/passwd"}})) == -32602);
  BOOST_TEST(code_in(legacy("resources/read")) == -32602);
  BOOST_TEST(legacy("resources/list").at("result").at("resources").as_array().size() == 3u);
  BOOST_TEST(
    legacy("resources/templates/list").at("result").at("resourceTemplates").as_array().size()
    == 2u);
}

BOOST_AUTO_TEST_CASE(a_trace_is_read_by_its_turn_and_from_a_cursor_on) {
  auto read = [&](const char* uri) { return modern("resources/read", {{"uri", uri}}); };
  answer("turn_trace", json::object{{"turn_id", "turn_1"}, {"entries", json::array{}}});
  BOOST_TEST(read("scratchpage://turns/turn_1/trace").as_object().contains("result"));
  BOOST_TEST(to_text(asked.back().second) == R"({"turn_id":"turn_1"})");
  BOOST_TEST(read("scratchpage://turns/turn_1/trace?cursor=3-17").as_object().contains("result"));
  BOOST_TEST(to_text(asked.back().second) == R"({"turn_id":"turn_1","cursor":"3-17"})");
  asked.clear();
  for (const auto* other : {"scratchpage://turns/turn_1", "scratchpage://turns//trace",
         "scratchpage://turns/trace", "scratchpage://turns/turn_1/trace/1"})
    BOOST_TEST(code_in(read(other)) == -32602);
  BOOST_TEST(asked.empty());
  answer("turn_trace", fail(errc::not_found, "turn_id", "there is none"));
  json::object gone{{"uri", "scratchpage://turns/turn_1/trace"}};
  BOOST_TEST(code_in(legacy("resources/read", gone)) == -32002);
  BOOST_TEST(code_in(modern("resources/read", gone)) == -32602);
  answer("turn_trace", fail(errc::invalid_request, "cursor", "expected another"));
  BOOST_TEST(code_in(legacy("resources/read", gone)) == -32602);
  answer("turn_trace", fail(errc::storage_unavailable, "", "the disk is full"));
  BOOST_TEST(code_in(legacy("resources/read", gone)) == -32603);
}

BOOST_AUTO_TEST_CASE(what_can_be_subscribed_to_is_what_can_be_read) {
  mcp::agent_provider offers{run()};
  for (const auto* uri : {"scratchpage://page", "scratchpage://goals", "scratchpage://scratchbook",
         "scratchpage://observations/obs_1", "scratchpage://turns/turn_1/trace"})
    BOOST_TEST(offers.is_resource(uri), uri);
  for (const auto* uri : {"", "scratchpage://pages", "scratchpage://observations/",
         "scratchpage://turns/turn_1", "file:///etc/passwd"})
    BOOST_TEST(!offers.is_resource(uri), uri);
}

BOOST_AUTO_TEST_CASE(what_a_tool_may_not_read_it_is_told_no_changes_of) {
  mcp::agent_provider offers{run()};
  principal tool{as_tool("gauge"), "main"};
  principal agent{as_daemon("assistant"), "main"};
  for (const auto* uri :
    {"scratchpage://goals", "scratchpage://scratchbook", "scratchpage://turns/turn_1/trace"}) {
    auto why = offers.check_reader(tool, uri);
    BOOST_REQUIRE(why.has_value());
    BOOST_TEST(why->message.find("role") != std::string::npos, why->message);
    BOOST_TEST(!offers.check_reader(agent, uri).has_value(), uri);
  }
  for (const auto* uri : {"scratchpage://page", "scratchpage://observations/obs_1"})
    BOOST_TEST(!offers.check_reader(tool, uri).has_value(), uri);
}

BOOST_AUTO_TEST_CASE(prompts_say_what_is_known_and_hand_over) {
  answer("assemble_context", json::object{{"text", "Smoke in the server room"}});
  answer("scratch_read", json::object{{"view", "s1 todo: Call Ann"}});
  BOOST_TEST(legacy("prompts/list").at("result").at("prompts").as_array().size() == 2u);
  auto about = json::object{{"name", "context"}, {"arguments", {{"prompt", "What burns?"}}}};
  auto context = legacy("prompts/get", about).at("result").at("messages").at(0);
  BOOST_TEST(context.at("content").at("text").as_string() == "Smoke in the server room");
  BOOST_TEST(asked.back().second.at("prompt").as_string() == "What burns?");
  auto handed = legacy("prompts/get", {{"name", "handoff"}}).at("result").at("messages").at(0);
  std::string text{handed.at("content").at("text").as_string()};
  BOOST_TEST(text.find("s1 todo: Call Ann") != std::string::npos);
  BOOST_TEST(text.find("Smoke") != std::string::npos);
  BOOST_TEST(code_in(legacy("prompts/get", {{"name", "poem"}})) == -32602);
}

BOOST_AUTO_TEST_CASE(what_is_not_offered_is_no_method) {
  for (const auto* method : {"completion/complete", "logging/setLevel", "resources/subscribe"})
    BOOST_TEST(code_in(legacy(method, {{"uri", "scratchpage://page"}})) == -32601, method);
  auto listening = json::object{{"notifications", {{"toolsListChanged", true}}}};
  BOOST_TEST(modern("subscriptions/listen", listening).as_object().contains("result"));
}

BOOST_AUTO_TEST_CASE(a_tool_says_what_is_always_in_its_result) {
  auto tools = legacy("tools/list").at("result").at("tools").as_array();
  auto outputs = [&](std::string_view name) {
    for (const auto& x : tools)
      if (x.at("name") == view(name))
        return x.at("outputSchema").as_object();
    return json::object{};
  };
  BOOST_TEST(outputs("add_observation").at("properties").at("observation_id").at("type")
             == json::value("string"));
  BOOST_TEST(outputs("query_observations").at("properties").at("observations").at("type")
             == json::value("array"));
  BOOST_TEST(to_text(json::value(outputs("archive_observation"))) == R"({"type":"object"})");
}

BOOST_AUTO_TEST_CASE(what_removes_something_for_good_says_so) {
  auto tools = legacy("tools/list").at("result").at("tools").as_array();
  BOOST_TEST(tools.size() == 33u);
  for (const auto& x : tools)
    BOOST_TEST(x.at("annotations").at("destructiveHint").as_bool()
               == (x.at("name").as_string() == "forget"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
