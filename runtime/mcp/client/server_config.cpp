#include "scratchpage/runtime/mcp/client/server_config.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
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

/// Whether a text can be the name of a header (RFC 9110, token).
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

/// Checks that there are only members of one kind: those of a program, or those of an address.
caf::error check_kind(const server_config& x, const std::string& path) {
  auto says_stdio = x.type == server_type::stdio;
  config_check check{path};
  check.require(x.command.empty() != x.url.empty(), "command", "either a command or a url")
    .require(!x.type || says_stdio == x.is_program(), "type",
      x.is_program() ? "stdio, since there is a command" : "http, since there is a url");
  if (x.is_program())
    return check.require(x.headers.empty(), "headers", "none, since there is no url").error();
  return check.require(x.args.empty(), "args", "none, since there is no command")
    .require(x.env.empty(), "env", "none, since there is no command")
    .require(x.cwd.empty(), "cwd", "none, since there is no command")
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
  // With a variable in it, the address is checked when the variables are replaced.
  if (x.url.find("${") == std::string::npos)
    check.require(
      http_client::read_address(x.url).has_value(), "url", http_client::address_expectation);
  for (const auto& [name, value] : x.headers)
    check.require(is_header_name(name) && is_header_value(value), "headers",
      "names of headers and their values, on one line each");
  return check.error();
}

/// Replaces variables by their values, and keeps the error about the first missing one.
class replacement {
public:
  replacement(std::string_view path, const environment& variables)
    : path_{path},
      variables_{variables} {}

  void in(std::string& text, std::string_view field) {
    std::string result;
    std::string_view rest = text;
    for (auto begin = rest.find("${"); begin != std::string_view::npos; begin = rest.find("${")) {
      auto end = rest.find('}', begin);
      if (end == std::string_view::npos)
        break;
      std::string name{rest.substr(begin + 2, end - begin - 2)};
      auto value = value_of(name, field);
      result.append(rest.substr(0, begin)).append(value);
      secrets.push_back(std::move(value));
      rest.remove_prefix(end + 1);
    }
    text = result.append(rest);
  }

  const caf::error& error() const { return error_; }

  std::vector<std::string> secrets; ///< the values

private:
  std::string value_of(const std::string& name, std::string_view field) {
    auto value = name.empty() ? std::nullopt : variables_(name);
    if (!value && !error_)
      error_ = fail(errc::invalid_request, sub_path(path_, field),
        "expected the environment variable '" + name + "' to be set");
    return value.value_or("");
  }

  std::string path_;
  const environment& variables_;
  caf::error error_;
};

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

std::optional<std::string> own_environment(const std::string& name) {
  const auto* value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): nothing sets any
  return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

caf::expected<resolved_server> with_variables(
  const server_config& x, std::string_view path, const environment& variables) {
  resolved_server result{x, {}};
  auto& config = result.config;
  replacement replace{path, variables};
  replace.in(config.command, "command");
  for (auto& arg : config.args)
    replace.in(arg, "args");
  for (auto& [name, value] : config.env)
    replace.in(value, sub_path("env", name));
  replace.in(config.cwd, "cwd");
  replace.in(config.url, "url");
  for (auto& [name, value] : config.headers)
    replace.in(value, sub_path("headers", name));
  if (replace.error())
    return replace.error();
  // The values of variables follow the same rules as the configuration.
  if (auto err = validate(config, path))
    return err;
  result.secrets = std::move(replace.secrets);
  for (const auto* values : {&config.env, &config.headers})
    for (const auto& [name, value] : *values)
      result.secrets.push_back(value);
  return result;
}

caf::error check_variables(
  const server_configs& servers, std::string_view path, const environment& variables) {
  for (const auto& [name, server] : servers)
    if (auto known = with_variables(server, sub_path(path, name), variables); !known)
      return known.error();
  return {};
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  constexpr size_t shortest = 6;
  for (const auto& secret : secrets)
    if (secret.size() >= shortest)
      for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
        text.replace(at, secret.size(), "***");
  return text;
}

} // namespace scratchpage::mcp_client
