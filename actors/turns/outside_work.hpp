#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/turn.hpp"

/// What an agent outside says and does in a turn that it holds (contract 14): its response, and the
/// calls of tools that it made itself. TURNS writes both, because only TURNS knows whose turn it
/// is.

namespace scratchpage {

struct outside_work_limits {
  static constexpr size_t response_bytes = size_t{64} * 1024;
  static constexpr size_t calls = 1'000;         ///< that are reported in one turn
  static constexpr size_t name_bytes = 256;      ///< of a tool's or a call's id
  static constexpr size_t error_bytes = 8'192;   ///< of an error; the rest is left out
  static constexpr size_t object_bytes = 16'384; ///< of inputs, and of outputs, as JSON
};

/// Checks the form of a response. Error: `invalid_request` about `response`.
caf::error check_response(std::string_view response);

/// The response of an agent to the input with this id, as an observation.
observation_draft response_draft(std::string response, const observation& input);

/// Checks the form of a report. Error: `invalid_request` about the member that is wrong.
caf::error check_report(const report_tool_call& x);

/// Whether the report tells of a failure: by its status, or because it has an error.
bool is_failure(const report_tool_call& x);

/// The call as the EXECUTOR would have written it: a `tool_result`, or an `error_alert`. Its
/// metadata has `reported`, which nobody else may write.
observation_draft report_draft(const report_tool_call& x, const observation& input);

/// The source of what a reported tool gave: the tool, as the reporter tells.
caller reported_tool(const report_tool_call& x, const caller& reporter);

/// Whether `x` is such an observation.
bool is_reported(const observation& x);

} // namespace scratchpage
