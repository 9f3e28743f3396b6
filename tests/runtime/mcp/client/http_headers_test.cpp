#include "scratchpage/runtime/mcp/client/streamable_http.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage::mcp_client {

namespace {

struct heads {
  http_headers headers;

  std::string of(const json::object* message) {
    std::string result;
    for (const auto& [name, value] : headers.of({{"Authorization", "Bearer x"}}, message))
      if (name != "Accept" && name != "User-Agent" && name != "Content-Type")
        result.append(result.empty() ? "" : ", ").append(name).append(": ").append(value);
    return result;
  }

  std::string of(std::string_view message) {
    auto parsed = parse_json(message)->get_object();
    return of(&parsed);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_headers_test, heads)

BOOST_AUTO_TEST_CASE(the_revision_and_the_session_are_said_once_they_are_known) {
  BOOST_TEST(of(R"({"method": "initialize"})") == "Authorization: Bearer x");
  headers.learn_from(R"({"id": 1, "result": {"protocolVersion": "2025-06-18"}})", 1000);
  headers.set_session("abc");
  BOOST_TEST(of(R"({"method": "tools/list"})")
             == "Authorization: Bearer x, MCP-Protocol-Version: 2025-06-18, Mcp-Session-Id: abc");
  BOOST_TEST(of(nullptr)
             == "Authorization: Bearer x, MCP-Protocol-Version: 2025-06-18, Mcp-Session-Id: abc");
}

BOOST_AUTO_TEST_CASE(a_message_that_says_its_revision_itself_has_it_in_its_head_too) {
  BOOST_TEST(of(R"({"method": "tools/call", "params": {"name": "echo",
    "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}})")
             == "Authorization: Bearer x, MCP-Protocol-Version: 2026-07-28, "
                "Mcp-Method: tools/call, Mcp-Name: echo");
  BOOST_TEST(headers.is_modern());
}

BOOST_AUTO_TEST_CASE(a_call_has_in_its_head_the_arguments_that_its_tool_wants_there) {
  headers.learn_from(R"({"id": 2, "result": {"tools": [{"name": "query", "inputSchema": {
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"},
                   "rows": {"type": "integer", "x-mcp-header": "Rows"},
                   "share": {"type": "number", "x-mcp-header": "Share"},
                   "dry": {"type": "boolean", "x-mcp-header": "Dry"},
                   "sql": {"type": "string"}}}}]}})",
    10'000);
  auto call = [this](const std::string& name, const std::string& arguments) {
    auto all =
      of(R"({"method": "tools/call", "params": {"name": ")" + name + R"(", "arguments": )"
         + arguments + R"(, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}})");
    auto own = all.find("mcp-param");
    return own == std::string::npos ? std::string{} : all.substr(own);
  };
  BOOST_TEST(call("query", R"({"region": "us-west1", "rows": 42, "dry": true, "sql": "x"})")
             == "mcp-param-region: us-west1, mcp-param-rows: 42, mcp-param-dry: true");
  BOOST_TEST(call("query", R"({"region": "Zürich", "share": 0.25})")
             == "mcp-param-region: =?base64?WsO8cmljaA==?=, mcp-param-share: 0.25");
  BOOST_TEST(call("query", R"({"region": null, "rows": {}})") == "");
  BOOST_TEST(call("query", "[]") == "");
  BOOST_TEST(call("other", R"({"region": "us-west1"})") == "");
}

BOOST_AUTO_TEST_CASE(nothing_a_server_says_breaks_a_head) {
  headers.set_session("a\r\nX: y");
  BOOST_TEST(!headers.has_session());
  headers.learn_from(R"({"result": {"protocolVersion": "1\r\nX: y"}})", 1000);
  headers.learn_from(R"({"result": {"tools": [{"name": "t", "inputSchema": {"properties": {
    "a": {"type": "string", "x-mcp-header": "A\r\nX"}}}}]}})",
    1000);
  BOOST_TEST(of(R"({"method": "tools/call", "params": {"name": "t", "arguments": {"a": "b"},
    "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}})")
               .find('\r')
             == std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_a_server_says_of_its_revision_breaks_a_head) {
  headers.learn_from(R"({"result": {"protocolVersion": "1\r\nX: y"}})", 1000);
  BOOST_TEST(of(R"({"method": "tools/list"})") == "Authorization: Bearer x");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::mcp_client
