#pragma once

#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/simulation/transcript.hpp"

namespace scratchpage {

/// Prints what was left out of the inputs: the first notices, and how many more there are. If the
/// user wants it quiet, only lines that were left out are told.
void print_notices(
  const input_notices& notices, const command_environment& environment, bool is_quiet);

} // namespace scratchpage
