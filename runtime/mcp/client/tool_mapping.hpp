#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage::mcp_client {

/// How a server's tools become tools of the agent.
struct offer_rules {
  std::string server;              ///< its name, which begins the ids of the tools
  std::vector<std::string> wanted; ///< patterns of the names on the server; empty: all tools
  double timeout_ms = 30'000;
  bool over_http = false; ///< some arguments are repeated in headers
};

/// Whether the agent gets that tool.
bool is_wanted(const offer_rules& rules, std::string_view tool);

/// Makes a manifest of a member of `tools/list`. The id is `server.tool`. Annotations become tags,
/// with MCP's defaults: `read_only`, else `destructive` unless the tool says that it is not, and
/// `open_world` unless it says that it is not. Read-only and idempotent tools may be called again.
/// A schema that `input_schema` cannot read is left out, and the server checks the arguments. The
/// error says why the tool is not offered: its name is invalid, its definition too large, or its
/// headers are invalid (over HTTP).
caf::expected<tool_manifest> to_manifest(const json::value& tool, const offer_rules& rules);

/// The name of a tool on its server; "" if the tool is not one of this server.
std::string own_name(std::string_view tool_id, std::string_view server);

/// The outcome of one call.
struct call_outcome {
  tool_status status = tool_status::ok;
  json::object outputs;
};

/// Reads a result of `tools/call`. Its outputs are `text`, the texts with a blank line between
/// them; `structured`, unless it says the same as `text`, or in place of it; and `other`,
/// descriptions of all other blocks without their data. With `isError`, the status is `error` and
/// the text is in `error`. Text beyond `max_bytes` is cut off and a larger structure is left out;
/// then the status is `partial`.
call_outcome read_result(const json::object& result, size_t max_bytes);

/// The outcome of a call that failed, with the class of its failure.
call_outcome failed_outcome(tool_failure why, std::string_view text);

/// The error of a JSON-RPC answer, in words that begin with "answered".
std::string describe_rpc_error(const json::value& error);

/// The class of failure of a JSON-RPC error.
tool_failure class_of_rpc_error(const json::value& error);

} // namespace scratchpage::mcp_client
