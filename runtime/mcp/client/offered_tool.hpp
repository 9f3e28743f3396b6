#pragma once

#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/tool.hpp"

namespace scratchpage::mcp_client {

/// How a server's tools become the agent's.
struct offer_rules {
  std::string server;              ///< its name, the first part of their ids
  std::vector<std::string> wanted; ///< patterns of the server's own names; none: all
  double timeout_ms = 30'000;
  bool over_http = false; ///< some arguments stand in headers, too
};

/// Whether the agent is to have it.
bool is_wanted(const offer_rules& rules, std::string_view tool);

/// The manifest of a member of `tools/list`: `server.tool` as the id, and what
/// its annotations say as tags, with the defaults of MCP: `read_only`, or
/// `destructive` unless it says that it is not; `open_world` unless it says that
/// it is not. Read-only and idempotent ones may be called again. A schema that
/// `input_schema` cannot read is left to the server. The error tells why there is
/// no such tool: a name that is none, a definition beyond the bounds, or over HTTP
/// arguments in headers that cannot be there.
caf::expected<tool_manifest> to_manifest(const json::value& tool, const offer_rules& rules);

/// The server's own name of it, "" if it is not of this server.
std::string own_name(std::string_view tool_id, std::string_view server);

} // namespace scratchpage::mcp_client
