#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/messages/json.hpp"

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
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
} // namespace meta

enum class era : uint8_t { legacy, modern };

/// Codes beside those of JSON-RPC.
inline constexpr int32_t unsupported_version = -32022;
inline constexpr int32_t resource_not_found_legacy = -32002;

/// Why a request is refused.
struct error {
  int32_t code = 0;
  std::string message;
  json::value data; ///< null: none
};

} // namespace scratchpage::mcp
