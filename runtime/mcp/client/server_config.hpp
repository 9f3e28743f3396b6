#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage::mcp_client {

/// How a server is spoken to.
enum class server_type : uint8_t { stdio, http, streamable_http };

/// One server of the Model Context Protocol whose tools the agent has, as MCP
/// clients write it: a program, or an address. In `command`, `args`, `env`,
/// `cwd`, `url` and `headers` `${NAME}` stands for a variable of the environment.
struct server_config {
  std::optional<server_type> type; ///< follows from `command` or `url`

  // -- a program, spoken to over its standard input and output
  std::string command; ///< looked up in PATH
  std::vector<std::string> args;
  std::map<std::string, std::string> env; ///< on top of what a login has
  std::string cwd;                        ///< "": this process's own

  // -- a server that runs somewhere, spoken to over Streamable HTTP
  std::string url; ///< http:// or https://
  std::map<std::string, std::string> headers;

  // -- limits
  std::vector<std::string> tools; ///< which of its tools; patterns; none given: all
  double timeout_ms = 30'000;     ///< of a call; 1 to a day
  /// Until it has answered the greeting and listed its tools; 1 to ten minutes.
  double connect_timeout_ms = 20'000;
  uint64_t max_result_bytes = 1u << 20; ///< of a result; what is more is cut off. 1 KiB to 64 MiB
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

/// By name, which is the first part of their tools' ids: letters, digits, `_`, `-`.
using server_configs = std::map<std::string, server_config>;

/// The error is `invalid_request` and names the field, never a value.
caf::error validate(const server_configs& servers, std::string_view path);
caf::error validate(const server_config& x, std::string_view path);

} // namespace scratchpage::mcp_client

template <>
inline constexpr std::array<std::string_view, 3>
  scratchpage::enum_names<scratchpage::mcp_client::server_type>{"stdio", "http", "streamable-http"};
