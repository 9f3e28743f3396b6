#pragma once

#include <string>

#include "scratchpage/messages/trace.hpp"

/// Entries of a trace as they are read: what one is about is a part of its detail.

namespace scratchpage {

/// Puts the observation into the detail, behind its id and its type.
void complete(trace_entry& x);

/// The JSON of what `complete` makes of it, at the end of `out`.
void append_complete(std::string& out, const trace_entry& x);

} // namespace scratchpage
