#pragma once

#include <string>
#include <vector>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage goals`.
struct goals_options {
  agent_options agent;
  std::vector<std::string> status; ///< empty: any
};

exit_code run_goals(const goals_options& options, const command_environment& environment);

} // namespace scratchpage
