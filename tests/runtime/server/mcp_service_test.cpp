#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/authenticator.hpp"
#include "scratchpage/runtime/server/mcp_service.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"
#include "scratchpage/tests/runtime/server/awaited_answer.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"

/// MCP for the agents of a host.

namespace scratchpage::test {

namespace {

struct mcp_clients : hosted {
  operation_caller operations{host->system()};
  server::agent_opener opener{*host};
  server::agent_calls calls{*host, opener, operations};
  server::mcp_service service{*host, calls, {}};
  principal who{as_user("ann")};

  /// Sends a request of revision 2026-07-28. `name`: the tool, or the resource's address.
  json::value ask(const std::string& agent_id, const std::string& method, const std::string& name,
    json::object params) {
    params["_meta"] = json::object{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
      {"io.modelcontextprotocol/clientCapabilities", json::object{}}};
    http::request x;
    x.method = "POST";
    x.headers = {{"host", "localhost"}, {"content-type", "application/json"},
      {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", method}, {"mcp-name", name}};
    x.body = to_text(json::object{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}});
    auto back = std::make_shared<awaited_answer>();
    service.answer(
      std::move(x), {who.by, "main", who.may_write, who.traceparent, agent(agent_id)->id}, back);
    return json::parse(back->get().body);
  }

  /// Calls a tool. Returns its result.
  json::value call_tool(
    const std::string& agent_id, const std::string& tool, json::object arguments) {
    return ask(agent_id, "tools/call", tool, {{"name", tool}, {"arguments", std::move(arguments)}})
      .at("result");
  }

  json::value read(const std::string& agent_id, const std::string& uri) {
    return ask(agent_id, "resources/read", uri, {{"uri", uri}});
  }
};

const json::object note{{"type", "observation"}, {"content", "Smoke"}};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_service, mcp_clients)

BOOST_AUTO_TEST_CASE(a_client_notes_things_in_its_own_name_on_the_page_it_asked_for) {
  auto stored = call_tool("ada", "add_observation", note).at("structuredContent");
  BOOST_TEST(stored.at("source").at("user").as_string() == "ann");
  auto of = [this](const std::string& id) {
    auto found = call_tool(id, "query_observations", {{"query", "smoke"}});
    return found.at("structuredContent").at("total_count").to_number<int>();
  };
  BOOST_TEST(of("ada") == 1);
  BOOST_TEST(of("bob") == 0);
}

BOOST_AUTO_TEST_CASE(who_may_only_read_notes_nothing) {
  who.may_write = false;
  auto refused = call_tool("ada", "add_observation", note);
  BOOST_TEST(refused.at("isError").as_bool());
  auto found = call_tool("ada", "query_observations", {{"query", "smoke"}});
  BOOST_TEST(found.at("structuredContent").at("total_count").to_number<int>() == 0);
}

BOOST_AUTO_TEST_CASE(the_address_says_which_tools_a_client_is_offered) {
  BOOST_TEST(!!(server::read_mcp_target("agent=ada&tools=simple")->tools == tool_set::simple));
  BOOST_TEST(!!(server::read_mcp_target("agent=ada")->tools == tool_set::full));
  auto wrong = server::read_mcp_target("tools=few");
  BOOST_REQUIRE(!wrong);
  BOOST_TEST(field_of(wrong.error()) == "tools");
  BOOST_TEST(field_of(server::read_rpc_target("tools=simple").error()) == "tools");
}

BOOST_AUTO_TEST_CASE(a_turns_trace_is_a_resource) {
  auto turn = call_tool("ada", "begin_turn", {{"input", "How is it?"}}).at("structuredContent");
  std::string id{turn.at("turn_id").as_string()};
  auto uri = "scratchpage://turns/" + id + "/trace";
  auto contents = read("ada", uri).at("result").at("contents").at(0);
  auto trace = json::parse(contents.at("text").as_string());
  BOOST_TEST(trace.at("turn_id").as_string() == id);
  BOOST_TEST(trace.at("entries").as_array().size() > 2u);
  BOOST_TEST(read("bob", uri).at("error").at("data").at("uri").as_string() == uri);
}

BOOST_AUTO_TEST_CASE(an_address_at_which_there_is_no_resource_is_not_listened_to) {
  json::object filter{{"resourceSubscriptions", json::array{"scratchpage://nothing"}}};
  auto refused = ask("ada", "subscriptions/listen", "", {{"notifications", std::move(filter)}});
  BOOST_TEST(refused.at("error").at("data").at("uri").as_string() == "scratchpage://nothing");
}

BOOST_AUTO_TEST_CASE(a_tool_reads_neither_the_agents_plan_nor_its_goals_nor_what_it_did) {
  auto turn = call_tool("ada", "begin_turn", {{"input", "How is it?"}}).at("structuredContent");
  auto trace = "scratchpage://turns/" + std::string{turn.at("turn_id").as_string()} + "/trace";
  who.by = as_tool("scanner");
  auto check = [](const json::value& answer) {
    BOOST_TEST(answer.at("error").at("data").at("code").as_string() == "forbidden");
  };
  for (const auto& uri :
    {std::string{"scratchpage://scratchbook"}, std::string{"scratchpage://goals"}, trace})
    check(read("ada", uri));
  for (const auto* prompt : {"handoff", "context"})
    check(ask("ada", "prompts/get", prompt, {{"name", prompt}}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
