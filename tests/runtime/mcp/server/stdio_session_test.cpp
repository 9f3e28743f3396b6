#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"
#include "scratchpage/tests/runtime/mcp/server/line_client.hpp"

/// Sessions over stdio, in both revisions.

namespace scratchpage::test {

namespace {

struct two_eras : line_client {
  two_eras()
    : line_client{std::make_shared<fixtures>()} {}
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_stdio_session, two_eras)

BOOST_AUTO_TEST_CASE(one_pipe_serves_both_revisions_side_by_side) {
  BOOST_TEST(code_in(legacy("server/discover")) == -32602); // so the client falls back
  begin();
  BOOST_TEST(!legacy("tools/list").at("result").as_object().contains("resultType"));
  BOOST_TEST(modern("tools/list").at("result").as_object().contains("resultType"));
}

BOOST_AUTO_TEST_CASE(requests_before_initialize_are_answered) {
  BOOST_TEST(legacy("tools/list").as_object().contains("result"));
}

BOOST_AUTO_TEST_CASE(a_modern_request_says_its_version_and_what_its_client_can_do) {
  auto of = [](json::object meta) { return json::object{{"_meta", std::move(meta)}}; };
  json::object version{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}};
  BOOST_TEST(code_in(legacy("tools/list", of(version))) == -32602);
  version["io.modelcontextprotocol/clientCapabilities"] = json::array{};
  BOOST_TEST(code_in(legacy("tools/list", of(version))) == -32602);
  version["io.modelcontextprotocol/clientCapabilities"] = json::object{};
  BOOST_TEST(legacy("tools/list", of(version)).as_object().contains("result"));
  version["io.modelcontextprotocol/protocolVersion"] = "2025-11-25";
  auto refused = legacy("tools/list", of(version));
  BOOST_TEST(code_in(refused) == -32022);
  BOOST_TEST(to_text(refused.at("error").at("data"))
             == R"({"supported":["2026-07-28"],"requested":"2025-11-25"})");
}

BOOST_AUTO_TEST_CASE(what_is_no_request_is_refused_or_passed_over) {
  auto hear_text = [this](const std::string& line) {
    heard.clear();
    say(line);
    return heard.empty() ? json::value{} : heard.back();
  };
  BOOST_TEST(code_in(hear_text("{")) == -32700);
  BOOST_TEST(!hear_text("{").as_object().contains("id"));
  BOOST_TEST(code_in(hear_text("[]")) == -32600);
  BOOST_TEST(code_in(hear_text(R"({"jsonrpc": "2.0", "id": null, "method": "ping"})")) == -32600);
  BOOST_TEST(code_in(hear_text(R"({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})")) == -32600);
  BOOST_TEST(hear_text(R"({"jsonrpc": "2.0", "method": "notifications/unknown"})").is_null());
  BOOST_TEST(hear_text(R"({"jsonrpc": "2.0", "id": 1, "result": {}})").is_null());
  BOOST_TEST(hear_text(R"({"jsonrpc": "2.0", "id": "x", "result": {}})").is_null());
  BOOST_TEST(done == 8); // each line is done, whatever its result
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
