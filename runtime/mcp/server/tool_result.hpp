#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

/// The results of an agent's tools, in the form of the protocol.

namespace scratchpage::mcp {

json::object text_block(std::string_view text);

/// The result of a tool that has failed, with a sentence that says why.
json::object tool_refusal(std::string_view why);

/// The members of a tool's result: the answer of the operation as a text and as an object, in which
/// an answer that is no object is wrapped. The answer is not parsed, since it may be long.
std::string tool_result(std::string_view answer);

} // namespace scratchpage::mcp
