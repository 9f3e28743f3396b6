#pragma once

#include <iosfwd>

#include "scratchpage/runtime/simulation/transcript.hpp"

namespace scratchpage {

/// Prints what was left out of the inputs: the first notices, and how many more there are. If the
/// user wants it quiet, only lines that were left out are told.
void print_notices(std::ostream& out, const input_notices& notices, bool is_quiet);

} // namespace scratchpage
