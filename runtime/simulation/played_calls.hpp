#pragma once

#include <span>
#include <vector>

#include "scratchpage/messages/trace.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// How a turn's calls went, read off the trace of its agent: what was asked
/// when, what was answered, and what stood in for what.
std::vector<played_call> calls_of(const turn_result& turn, std::span<const trace_entry> trace);

} // namespace scratchpage
