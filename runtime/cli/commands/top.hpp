#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

struct top_options {
  agent_options agent;
  std::string every = "1"; ///< seconds
  std::string count;       ///< of pictures; "": until one asks to end, or one if nobody looks
};

/// Shows what is on an agent's page, who listens, turns and rates, again and again.
exit_code run_top(const top_options& options, const command_environment& environment);

} // namespace scratchpage
