#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage context`.
struct context_options {
  agent_options agent;
  std::string prompt;
  std::string budget; ///< tokens
};

/// What working memory gives for a prompt: the text alone on the output, what it
/// is made of on the error output.
exit_code run_context(const context_options& options, const command_environment& environment);

} // namespace scratchpage
