#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

/// Why a call failed, in the error classes of contract 7.
enum class tool_failure : uint8_t {
  timeout,
  transient, ///< may work when tried again: overloaded, or the program has ended
  invalid_input,
  permission,
  not_found,
  other,
};

template <>
inline constexpr std::array<std::string_view, 6> enum_names<tool_failure>{
  "timeout", "transient", "invalid_input", "permission", "not_found", "other"};

/// The answer to a failed call: `outputs.error` is the text, and `outputs.error_class` the name of
/// the failure. The status is `timeout` for a timeout, else `error`.
tool_response failed_call(const tool_request& request, tool_failure why, std::string_view text);

/// The answer to a call when `bound` calls wait already.
tool_response overloaded_call(const tool_request& request, size_t bound);

/// The answer to a call that took longer than `waited`.
tool_response timed_out_call(const tool_request& request, timespan waited);

/// The answer to a call of an unknown tool. Its text lists the `known` ones.
tool_response unknown_tool(const tool_request& request, std::vector<std::string> known);

/// The outputs of a call whose answer nobody knows, such as one that a transcript does not have:
/// `unanswered` is true, and `note` says why. The status of such an answer is `partial`.
json::object unanswered_outputs(std::string_view note);

/// Whether these are the status and the outputs of such a call.
bool is_unanswered(tool_status status, const json::object& outputs);

/// The timeout of a call: the request's, else the manifest's; from a millisecond to a day.
timespan call_timeout(const tool_request& request, const tool_manifest& manifest);

/// The turn in a request id of the form `turn/call`, or "".
std::string turn_of(const std::string& request_id);

/// Converts milliseconds. NaN and negative numbers become 0; the maximum is a century.
timespan span_of(double milliseconds);

/// At most `max` bytes of what a program wrote, for people: control characters and invalid UTF-8
/// are replaced by '?'.
std::string printable(std::string_view text, size_t max = 200);

} // namespace scratchpage
