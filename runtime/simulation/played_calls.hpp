#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// The outcome of one planned call.
struct played_call {
  std::string call_id;
  std::string tool_id;                  ///< the tool that was called first
  tool_status status = tool_status::ok; ///< of the last answer
  uint32_t attempts = 1;                ///< retries and alternatives included
  std::string error;                    ///< of the first failure, "" if there was none
  std::string recovered_by;             ///< the alternative tool that answered, "" if none
  timestamp started_at;
  double duration_ms = 0; ///< until the last answer
  bool has_answer = true; ///< whether the result of the call is known
};

/// How long a turn took; nothing if it has not ended.
std::optional<double> duration_of(const turn_result& x);

/// The outcomes of a turn's calls, from the trace of its agent: when each began, its answer, and
/// which alternative answered.
std::vector<played_call> calls_of(const turn_result& turn, std::span<const trace_entry> trace);

} // namespace scratchpage
