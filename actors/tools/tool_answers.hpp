#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

/// Why a call failed, in the classes of contract 7, as far as this side knows.
enum class tool_failure : uint8_t {
  timeout,
  transient, ///< may work when tried again: overloaded, or the program died
  invalid_input,
  permission,
  not_found,
  other,
};

template <>
inline constexpr std::array<std::string_view, 6> enum_names<tool_failure>{
  "timeout", "transient", "invalid_input", "permission", "not_found", "other"};

/// A failed answer to `request`: `outputs.error` is the text, and
/// `outputs.error_class` the name of the failure. The status is `timeout` for
/// a timeout, else `error`.
tool_response failed_call(const tool_request& request, tool_failure why, std::string_view text);

/// The answer to a call that found too many before it.
tool_response overloaded_call(const tool_request& request, size_t bound);

/// The answer to a call that took longer than `waited`.
tool_response timed_out_call(const tool_request& request, timespan waited);

/// The answer to a call of a tool that is not there; names those that are.
tool_response unknown_tool(const tool_request& request, std::vector<std::string> known);

/// How long a call may take: what the request says, else the manifest. At
/// least a millisecond and at most a day.
timespan call_timeout(const tool_request& request, const tool_manifest& manifest);

/// The turn of a request, "" if its id names none: `turn/call`.
std::string turn_of(const std::string& request_id);

/// Milliseconds to a span; NaN and negative ones are 0, at most a century.
timespan span_of(double milliseconds);

/// At most `max` bytes of `text`, control characters and broken UTF-8 replaced
/// by '?': for showing what a program wrote.
std::string printable(std::string_view text, size_t max = 200);

} // namespace scratchpage
