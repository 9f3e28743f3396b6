#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage trace`.
struct trace_options {
  agent_options agent;
  std::string turn_id; ///< "": the latest entries of all
  bool turns = false;  ///< the turns instead
  uint64_t limit = 50;
};

/// What an agent's components did, as a tree of what caused what.
exit_code run_trace(const trace_options& options, const command_environment& environment);

} // namespace scratchpage
