#include <algorithm>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/authenticator.hpp"
#include "scratchpage/runtime/server/mcp_service.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"
#include "scratchpage/tests/runtime/server/awaited_answer.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

/// MCP for the agents of a host.

namespace scratchpage::test {

namespace {

struct mcp_clients : hosted {
  operation_caller operations{host->system()};
  server::agent_opener opener{*host};
  server::agent_calls calls{*host, opener, operations};
  server::mcp_service service{*host, calls, {}};
  principal who{as_user("ann")};
  json::object can; ///< the capabilities of the client

  explicit mcp_clients(config x = default_config())
    : hosted{std::move(x)} {}

  /// Sends a request of revision 2026-07-28. `name`: the tool, or the resource's address.
  json::value ask(const std::string& agent_id, const std::string& method, const std::string& name,
    json::object params) {
    auto& meta = params.emplace("_meta", json::object{}).first->value().as_object();
    meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
    meta["io.modelcontextprotocol/clientCapabilities"] = can;
    http::request x;
    x.method = "POST";
    x.headers = {{"host", "localhost"}, {"content-type", "application/json"},
      {"accept", "application/json"}, // no stream, however long a turn takes
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

/// A configuration with a server of tools, whose tool `erase` needs a person's consent.
config with_box(elicitation trusted) {
  auto result = default_config();
  result.consent.elicitation = trusted;
  mcp_client::server_config box;
  box.command = "python3";
  box.args = {source_file("tests/runtime/mcp/client/scripted_server.py")};
  result.mcp_servers["box"] = box;
  return result;
}

/// Clients with forms for their users, whose turns call the tool `erase`.
struct erasing_clients : mcp_clients {
  explicit erasing_clients(elicitation trusted)
    : mcp_clients{with_box(trusted)} {
    can["elicitation"] = json::object{};
  }

  /// The result of a turn in the name of ann, by a client of that name.
  json::value erase_as(const caller& client) {
    who.by = client;
    json::array plan{json::object{{"tool_id", "box.erase"}}};
    return call_tool(
      "ada", "begin_turn", {{"input", "Erase it"}, {"user_id", "ann"}, {"plan", std::move(plan)}});
  }

  static bool is_asked(const json::value& result) {
    return result.at("resultType").as_string() == "input_required";
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

BOOST_AUTO_TEST_CASE(a_call_with_the_key_of_an_earlier_one_is_answered_as_before) {
  auto call = [this](json::value key, const json::object& arguments) {
    json::object meta{{"scratchpage/request_key", std::move(key)}};
    return ask("ada", "tools/call", "add_observation",
      {{"name", "add_observation"}, {"arguments", arguments}, {"_meta", std::move(meta)}})
      .at("result");
  };
  auto first = call("k", note).at("structuredContent");
  BOOST_TEST(to_text(call("k", note).at("structuredContent")) == to_text(first));
  BOOST_TEST(call("k", {{"type", "alert"}, {"content", "Fire"}}).at("isError").as_bool());
  BOOST_TEST(call(7, note).at("isError").as_bool());
  auto found = call_tool("ada", "query_observations", {{"query", "smoke"}});
  BOOST_TEST(found.at("structuredContent").at("total_count").to_number<int>() == 1);
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

BOOST_AUTO_TEST_CASE(the_answer_of_a_client_is_a_persons_word_only_if_the_client_is_a_person) {
  erasing_clients clients{elicitation::persons};
  BOOST_TEST(!erasing_clients::is_asked(clients.erase_as(as_daemon("assistant"))));
  BOOST_TEST(!erasing_clients::is_asked(clients.erase_as(as_user("bob")))); // asked is ann
  BOOST_TEST(erasing_clients::is_asked(clients.erase_as(as_user("ann"))));
  BOOST_TEST(erasing_clients::is_asked(clients.erase_as(as_admin("eve"))));
}

BOOST_AUTO_TEST_CASE(a_person_who_agrees_at_their_client_lets_the_call_run) {
  erasing_clients clients{elicitation::persons};
  auto asks = clients.erase_as(as_user("ann"));
  json::object given;
  for (const auto& [id, x] : asks.at("inputRequests").as_object())
    given[id] = json::object{{"action", "accept"}, {"content", {{"answer", "Yes, once"}}}};
  json::array plan{json::object{{"tool_id", "box.erase"}}};
  json::object arguments{{"input", "Erase it"}, {"user_id", "ann"}, {"plan", std::move(plan)}};
  json::object params{{"name", "begin_turn"}, {"arguments", std::move(arguments)},
    {"requestState", asks.at("requestState")}, {"inputResponses", given}};
  auto result = clients.ask("ada", "tools/call", "begin_turn", params).at("result");
  auto turn = result.at("structuredContent").at("consent_turn");
  auto is_result = [](const json::value& x) { return x.at("type") == "tool_result"; };
  const auto& all = turn.at("observations").as_array();
  BOOST_TEST(std::count_if(all.begin(), all.end(), is_result) == 1);
  auto repeated = clients.ask("ada", "tools/call", "begin_turn", params).at("result");
  const auto& none = repeated.at("structuredContent").at("consent_turn").at("observations");
  const auto& rest = none.as_array();
  BOOST_TEST(std::count_if(rest.begin(), rest.end(), is_result) == 0); // it is made once
}

BOOST_AUTO_TEST_CASE(an_agents_client_is_asked_only_where_the_configuration_trusts_it) {
  erasing_clients trusted{elicitation::agents};
  BOOST_TEST(erasing_clients::is_asked(trusted.erase_as(as_daemon("assistant"))));
  erasing_clients off{elicitation::off};
  BOOST_TEST(!erasing_clients::is_asked(off.erase_as(as_user("ann"))));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
