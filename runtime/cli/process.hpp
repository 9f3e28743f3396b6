#pragma once

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// Configures glibc's allocator so that it does not stop the process for tens of milliseconds when
/// many observations end. By default, one free() among many merges all small blocks that were freed
/// before, or returns half the heap to the system. The program calls this at its start; a program
/// that embeds large pages may do so, too. The process then keeps up to half a GiB of freed heap.
/// Does nothing without glibc.
void calm_allocator();

/// Runs the command in `argv` and returns the exit code of the process. Never throws.
int run_command_line(int argc, const char* const* argv, const command_environment& environment);

/// As above, with the streams of this process.
int run_command_line(int argc, const char* const* argv);

} // namespace scratchpage
