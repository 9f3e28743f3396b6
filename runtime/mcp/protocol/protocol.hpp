#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"

/// The Model Context Protocol (https://modelcontextprotocol.io), in two of its
/// revisions: 2026-07-28, where each request says all that is needed, and 2025-11-25
/// and what was before it, which begin with `initialize`.

namespace scratchpage::mcp {

inline constexpr std::string_view modern_version = "2026-07-28";

/// Those that `initialize` may agree on, the newest first.
inline constexpr std::array<std::string_view, 4> legacy_versions{
  "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/// Members of `_meta`.
namespace meta {
inline constexpr std::string_view version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";
} // namespace meta

/// What a client can do for a server, as `capabilities` name it. Of these alone it is kept whether
/// a client has them.
inline constexpr std::array<std::string_view, 5> client_capabilities{
  "elicitation", "experimental", "roots", "sampling", "tasks"};

/// At most so many bytes in an id, or another text by which a client knows its own again.
inline constexpr size_t most_id_bytes = 1'024;

enum class era : uint8_t { legacy, modern };

/// How much a log message matters, the least first (RFC 5424).
enum class log_level : uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// Codes beside those of JSON-RPC.
inline constexpr int32_t header_mismatch = -32020;
inline constexpr int32_t missing_capability = -32021;
inline constexpr int32_t unsupported_version = -32022;
inline constexpr int32_t resource_not_found_legacy = -32002;

/// Why a request is refused.
struct error {
  int32_t code = 0;
  std::string message;
  json::value data; ///< null: none
};

/// Refused because of its parameters.
error invalid_params(std::string message);

/// What cannot be done here, or not now.
error internal_error(std::string message);

/// The answer that refuses the request of that id.
json::object refusal(const json::value& id, const error& why);

} // namespace scratchpage::mcp

namespace scratchpage {

template <>
inline constexpr std::array<std::string_view, 8> enum_names<mcp::log_level>{
  "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

} // namespace scratchpage
