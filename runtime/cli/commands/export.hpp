#pragma once

#include <filesystem>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage export`.
struct export_options {
  agent_options agent;              ///< the id `all`: all of them
  std::filesystem::path file = "-"; ///< "-": the standard output
};

/// Writes all that is kept of agents as JSON lines.
exit_code run_export(const export_options& options, const command_environment& environment);

} // namespace scratchpage
