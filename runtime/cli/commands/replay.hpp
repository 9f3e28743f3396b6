#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage replay`.
struct replay_options {
  agent_options agent;
  std::string until; ///< a sequence or a time
};

/// What was on the page then.
exit_code run_replay(const replay_options& options, const command_environment& environment);

} // namespace scratchpage
