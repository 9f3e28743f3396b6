#pragma once

#include <optional>
#include <string>
#include <variant>

#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

/// What a request says of itself in `params._meta`.
struct envelope {
  era spoken = era::legacy; ///< modern if it names a version
  std::string version;      ///< that it names
  json::object capabilities;
  std::optional<log_level> least; ///< that it wants log messages of; none: none at all
  json::value progress_token;     ///< null: it wants no progress
};

/// Whether a version is named.
bool claims_modern(const json::object& params);

/// Reads it. A modern one has to name its version and what the client can do; it is
/// expected if a version is named or `must_be_modern`.
std::variant<envelope, error> read_envelope(
  const json::object& params, bool must_be_modern = false);

/// Why a modern version is not spoken here; nothing if it is.
std::optional<error> refuse_version(const std::string& version);

} // namespace scratchpage::mcp
