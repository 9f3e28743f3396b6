#include "scratchpage/runtime/mcp/client/server_config.hpp"

#include <algorithm>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/runtime/net/http_client/address.hpp"

namespace scratchpage::mcp_client {

namespace {

constexpr size_t max_name = 32;
constexpr double day_ms = 24.0 * 3600 * 1000;
constexpr double ten_minutes_ms = 600'000;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
         || c == '-';
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= max_name
         && std::all_of(text.begin(), text.end(), is_name_character);
}

/// A name of a header (RFC 9110, token) that is ours to leave to the operator.
bool is_header_name(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_name_character(c) || marks.find(c) != std::string_view::npos;
  });
}

bool is_header_value(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool has_no_zero(std::string_view text) {
  return text.find('\0') == std::string_view::npos;
}

/// What a program or the other kind has, and this one has not.
caf::error check_kind(const server_config& x, const std::string& path) {
  auto says_stdio = x.type == server_type::stdio;
  config_check check{path};
  check.require(x.command.empty() != x.url.empty(), "command", "either a command or a url")
    .require(!x.type || says_stdio == x.is_program(), "type",
      x.is_program() ? "stdio, for there is a command" : "http, for there is a url");
  if (x.is_program())
    return check.require(x.headers.empty(), "headers", "none: they are of servers with a url")
      .error();
  return check.require(x.args.empty(), "args", "none: they are of a command")
    .require(x.env.empty(), "env", "none: it is of a command")
    .require(x.cwd.empty(), "cwd", "none: it is of a command")
    .error();
}

caf::error check_program(const server_config& x, const std::string& path) {
  config_check check{path};
  check.require(has_no_zero(x.command), "command", "a text without zero bytes")
    .require(
      std::all_of(x.args.begin(), x.args.end(), has_no_zero), "args", "texts without zero bytes")
    .require(has_no_zero(x.cwd), "cwd", "a text without zero bytes");
  for (const auto& [name, value] : x.env)
    check.require(!name.empty() && name.find('=') == std::string::npos && has_no_zero(name)
                    && has_no_zero(value),
      "env", "names of variables, without '=', and their values, without zero bytes");
  return check.error();
}

caf::error check_address(const server_config& x, const std::string& path) {
  config_check check{path};
  // With a variable in it, it is known when the server is first wanted.
  if (x.url.find("${") == std::string::npos)
    check.require(
      http_client::read_address(x.url).has_value(), "url", http_client::address_expectation);
  for (const auto& [name, value] : x.headers)
    check.require(is_header_name(name) && is_header_value(value), "headers",
      "names of headers and their values, on one line each");
  return check.error();
}

} // namespace

caf::error validate(const server_config& x, std::string_view at) {
  std::string path{at};
  return config_check{path}
    .also(check_kind(x, path))
    .also(x.is_program() ? check_program(x, path) : check_address(x, path))
    .words("tools", x.tools)
    .range("timeout_ms", x.timeout_ms, 1, day_ms)
    .range("connect_timeout_ms", x.connect_timeout_ms, 1, ten_minutes_ms)
    .range("max_result_bytes", static_cast<double>(x.max_result_bytes), 1024, 64u << 20)
    .range("max_in_flight", x.max_in_flight, 1, 64)
    .error();
}

caf::error validate(const server_configs& servers, std::string_view path) {
  config_check check{path};
  for (const auto& [name, server] : servers)
    check
      .require(is_name(name), name,
        "a name of 1 to " + std::to_string(max_name) + " letters, digits, '_' and '-'")
      .also(validate(server, sub_path(path, name)));
  return check.error();
}

} // namespace scratchpage::mcp_client
