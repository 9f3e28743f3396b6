#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage::mcp_client {

/// The transport of a server.
enum class server_type : uint8_t { stdio, http, streamable_http };

/// A server of the Model Context Protocol whose tools the agent has, in the form that MCP clients
/// use: a program, or an address. `${NAME}` in `command`, `args`, `env`, `cwd`, `url` and `headers`
/// is replaced by a variable of the environment.
struct server_config {
  std::optional<server_type> type; ///< follows from `command` or `url`

  // -- a program, over its standard input and output
  std::string command; ///< looked up in PATH
  std::vector<std::string> args;
  std::map<std::string, std::string> env; ///< added to the variables of a login
  std::string cwd;                        ///< "": this process's own

  // -- a running server, over Streamable HTTP
  std::string url; ///< http:// or https://
  std::map<std::string, std::string> headers;

  // -- limits
  std::vector<std::string> tools; ///< patterns of the tools to offer; empty: all
  double timeout_ms = 30'000;     ///< of a call; from 1 to a day
  /// Until it has answered `initialize` and listed its tools; from 1 to ten minutes.
  double connect_timeout_ms = 20'000;
  uint64_t max_result_bytes = 1u << 20; ///< a longer result is cut off; 1 KiB to 64 MiB
  uint32_t max_in_flight = 16;          ///< calls at a time; 1 to 64

  static constexpr auto fields(auto all) {
    using self = server_config;
    return all(optional("type", &self::type), optional("command", &self::command),
      optional("args", &self::args), optional("env", &self::env), optional("cwd", &self::cwd),
      optional("url", &self::url), optional("headers", &self::headers),
      optional("tools", &self::tools), optional("timeout_ms", &self::timeout_ms),
      optional("connect_timeout_ms", &self::connect_timeout_ms),
      optional("max_result_bytes", &self::max_result_bytes),
      optional("max_in_flight", &self::max_in_flight));
  }

  bool is_program() const { return !command.empty(); }
};

/// Servers by name. The name begins the ids of their tools, and has letters, digits, `_` and `-`.
using server_configs = std::map<std::string, server_config>;

/// The error is `invalid_request` and names the field, never a value.
caf::error validate(const server_configs& servers, std::string_view path);
caf::error validate(const server_config& x, std::string_view path);

} // namespace scratchpage::mcp_client

template <>
inline constexpr std::array<std::string_view, 3>
  scratchpage::enum_names<scratchpage::mcp_client::server_type>{"stdio", "http", "streamable-http"};

namespace scratchpage::mcp_client {

/// The value of a variable of the environment; nothing if it is not set.
using environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The environment of this process.
std::optional<std::string> own_environment(const std::string& name);

/// A server's configuration with its variables replaced.
struct resolved_server {
  server_config config;
  std::vector<std::string> secrets; ///< the values of variables, `env` and `headers`
};

/// Replaces each `${NAME}` in the texts of `x`. If a variable is not set, the error is
/// `invalid_request` and names the field, below `path`, and the variable.
caf::expected<resolved_server> with_variables(
  const server_config& x, std::string_view path, const environment& variables = own_environment);

/// Checks that all variables are set that the servers need. The error names the first missing one.
caf::error check_variables(const server_configs& servers, std::string_view path,
  const environment& variables = own_environment);

/// Replaces each secret in `text` by "***", for errors and traces. A value of less than six bytes
/// does not count as a secret.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

} // namespace scratchpage::mcp_client
