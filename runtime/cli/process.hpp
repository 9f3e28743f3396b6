#pragma once

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// Runs `argv[1]`… and gives the process's exit code. Never throws.
int run_command_line(int argc, const char* const* argv, const command_environment& environment);

/// As above, in this process.
int run_command_line(int argc, const char* const* argv);

} // namespace scratchpage
