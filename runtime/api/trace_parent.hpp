#pragma once

#include <string>

#include "scratchpage/messages/operation.hpp"

namespace scratchpage {

/// Has a turn that the call begins belong to the trace of whoever asks, if that is told and
/// the call does not name another. What is no `traceparent` is passed over, as W3C Trace
/// Context has it for whoever receives one.
void continue_trace(call_operation& x, const std::string& traceparent);

} // namespace scratchpage
