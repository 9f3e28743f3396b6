#pragma once

#include <chrono>
#include <cstddef>

#include "scratchpage/actors/tools/spawn_child.hpp"
#include "scratchpage/runtime/mcp/client/transport.hpp"

namespace scratchpage::mcp_client {

struct stdio_limits {
  size_t max_line_bytes = 8u << 20;   ///< of one of the server's messages
  size_t max_queued_bytes = 4u << 20; ///< of ours that it has not read
  size_t max_stderr_bytes = 4096;     ///< how much of its end is told
  /// After its standard input has ended, and again after SIGTERM.
  timespan grace = std::chrono::seconds{2};
};

/// Starts a program that speaks the protocol over its standard input and output,
/// a message a line. Its standard error is read, and its end told when the
/// program ends. At the end its input is closed; if it does not end by itself
/// its group gets SIGTERM, and then SIGKILL.
std::unique_ptr<transport> start_program(
  const child_command& command, stdio_limits limits, event_sink sink);

} // namespace scratchpage::mcp_client
