#pragma once

#include <string>

#include "scratchpage/runtime/cli/agent_options.hpp"
#include "scratchpage/runtime/cli/command_line.hpp"

namespace scratchpage {

/// `scratchpage replay`.
struct replay_options {
  agent_options agent;
  std::string until; ///< a sequence or a time
};

/// What was on the page then.
exit_code run_replay(const replay_options& options, const command_environment& environment);

} // namespace scratchpage
