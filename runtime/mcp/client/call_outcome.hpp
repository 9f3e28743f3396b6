#pragma once

#include <cstddef>
#include <string>

#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::mcp_client {

/// What became of one call, before it is an answer to anybody.
struct call_outcome {
  tool_status status = tool_status::ok;
  json::object outputs;
};

/// What a result of `tools/call` tells: `text`, its texts with a blank line
/// between them; `structured`, of the two only one where both say the same;
/// `other`, a list of what else it has, described without its data. `isError` is status
/// `error` with the text as `error`. Texts beyond `max_bytes` are cut off, and a
/// structure beyond them left out; the status is then `partial`.
call_outcome read_result(const json::object& result, size_t max_bytes);

/// A call that did not work, and the class of failure that it is.
call_outcome failed_outcome(tool_failure why, std::string_view text);

/// The error of a JSON-RPC answer, in words that begin with "answered".
std::string describe_rpc_error(const json::value& error);

/// The failure that such an error is.
tool_failure class_of_rpc_error(const json::value& error);

} // namespace scratchpage::mcp_client
