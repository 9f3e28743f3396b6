#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/serve/mcp_service.hpp"
#include "scratchpage/tests/serve/awaited_answer.hpp"
#include "scratchpage/tests/serve/hosted.hpp"

/// The Model Context Protocol for the agents of a host.

namespace scratchpage::test {

namespace {

struct mcp_clients : hosted {
  operation_caller operations{host->system()};
  serve::mcp_service service{host->system(), operations, {}};
  serve::visitor who{as_user("ann")};

  /// The result of a tool, called in the modern way.
  json::value call_tool(
    const std::string& agent_id, const std::string& tool, json::object arguments) {
    json::object meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
      {"io.modelcontextprotocol/clientCapabilities", json::object{}}};
    json::object params{
      {"name", tool}, {"arguments", std::move(arguments)}, {"_meta", std::move(meta)}};
    http::request x;
    x.method = "POST";
    x.headers = {{"host", "localhost"}, {"content-type", "application/json"},
      {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", tool}};
    x.body = to_text(json::object{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"}, {"params", std::move(params)}});
    auto back = std::make_shared<awaited_answer>();
    service.answer(std::move(x), who, "main", *agent(agent_id), back);
    return json::parse(back->get().body).at("result");
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

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
