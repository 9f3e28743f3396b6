#include "scratchpage/runtime/mcp/client/server_config.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage::mcp_client {

namespace {

/// The refusal of a configuration of servers, or "accepted".
std::string refusal(const std::string& servers) {
  auto result = load_config(R"({"mcpServers": )" + servers + "}");
  return result ? "accepted" : describe(result.error());
}

std::string refusal_of_server(const std::string& server) {
  return refusal(R"({"box": )" + server + "}");
}

std::optional<std::string> variables(const std::string& name) {
  if (name == "TOKEN")
    return "s3cr3t-t0k3n";
  return name == "HOST" ? std::optional<std::string>{"tools.example"} : std::nullopt;
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_config_test)

BOOST_AUTO_TEST_CASE(servers_are_written_as_other_clients_write_them) {
  BOOST_TEST(refusal_of_server(R"({"command": "npx", "args": ["-y", "server"],
    "env": {"TOKEN": "${TOKEN}"}, "cwd": "/tmp"})")
             == "accepted");
  BOOST_TEST(refusal_of_server(R"({"type": "streamable-http", "url": "https://tools.example/mcp",
    "headers": {"Authorization": "Bearer ${TOKEN}"}})")
             == "accepted");
  BOOST_TEST(refusal_of_server(R"({"type": "stdio", "command": "x", "tools": ["read_*"],
    "timeout_ms": 1, "connect_timeout_ms": 1, "max_result_bytes": 1024, "max_in_flight": 1})")
             == "accepted");
}

BOOST_AUTO_TEST_CASE(what_is_unknown_or_contradicts_itself_is_named) {
  BOOST_TEST(
    refusal_of_server(R"({"command": "x", "argv": []})").find("mcpServers.box.argv: unknown")
    != std::string::npos);
  BOOST_TEST(refusal_of_server("{}")
             == "invalid_request: mcpServers.box.command: expected either a command or a url");
  BOOST_TEST(refusal_of_server(R"({"command": "x", "url": "http://a"})")
             == "invalid_request: mcpServers.box.command: expected either a command or a url");
  BOOST_TEST(refusal_of_server(R"({"command": "x", "headers": {"A": "b"}})")
             == "invalid_request: mcpServers.box.headers: expected none, since there is no url");
  BOOST_TEST(refusal_of_server(R"({"url": "http://a", "args": ["b"]})")
             == "invalid_request: mcpServers.box.args: expected none, since there is no command");
  BOOST_TEST(refusal_of_server(R"({"command": "x", "type": "http"})")
             == "invalid_request: mcpServers.box.type: expected stdio, since there is a command");
  BOOST_TEST(
    refusal(R"({"my box": {"command": "x"}})")
      .starts_with("invalid_request: mcpServers.my box: expected a name of 1 to 32 letters"));
  BOOST_TEST(refusal_of_server(R"({"command": "x", "timeout_ms": 0})")
               .starts_with("invalid_request: mcpServers.box.timeout_ms: expected a number"));
}

BOOST_AUTO_TEST_CASE(no_value_that_may_be_a_secret_is_in_an_error) {
  auto header = refusal_of_server(R"({"url": "http://a", "headers": {"X": "s3cr3t\n"}})");
  BOOST_TEST(header.find("s3cr3t") == std::string::npos, header);
  BOOST_TEST(header.find("mcpServers.box.headers") != std::string::npos, header);
  auto url = refusal_of_server(R"({"url": "http://me:s3cr3t@a"})");
  BOOST_TEST(url.find("s3cr3t") == std::string::npos, url);
}

BOOST_AUTO_TEST_CASE(variables_are_put_in_and_kept_as_secrets) {
  server_config x;
  x.url = "https://${HOST}/mcp";
  x.headers["Authorization"] = "Bearer ${TOKEN}";
  auto known = with_variables(x, "mcpServers.box", variables);
  BOOST_REQUIRE(known);
  BOOST_TEST(known->config.url == "https://tools.example/mcp");
  BOOST_TEST(known->config.headers["Authorization"] == "Bearer s3cr3t-t0k3n");
  BOOST_TEST(without_secrets("refused s3cr3t-t0k3n twice: s3cr3t-t0k3n", known->secrets)
             == "refused *** twice: ***");
}

BOOST_AUTO_TEST_CASE(a_variable_that_is_not_set_is_named) {
  server_config x;
  x.command = "x";
  x.env["KEY"] = "${MISSING}";
  auto known = with_variables(x, "mcpServers.box", variables);
  BOOST_REQUIRE(!known);
  BOOST_TEST(describe(known.error())
             == "invalid_request: mcpServers.box.env.KEY: expected the environment variable "
                "'MISSING' to be set");
  BOOST_TEST(
    describe(check_variables({{"box", x}}, "mcpServers", variables)) == describe(known.error()));
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_variable_stays) {
  server_config x;
  x.command = "$HOME {x} $ ${";
  auto known = with_variables(x, "", variables);
  BOOST_REQUIRE(known);
  BOOST_TEST(known->config.command == "$HOME {x} $ ${");
}

BOOST_AUTO_TEST_CASE(a_variable_cannot_break_a_rule) {
  server_config x;
  x.url = "${HOST}";
  auto known = with_variables(x, "mcpServers.box", variables);
  BOOST_REQUIRE(!known);
  BOOST_TEST(field_of(known.error()) == "mcpServers.box.url");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::mcp_client
