#pragma once

#include <string>
#include <vector>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage add`, as it was written: one observation, or a file of drafts.
struct add_options {
  agent_options agent;
  std::string content; ///< "-": what comes in
  std::string type;
  std::vector<std::string> tags;
  std::string confidence;
  std::string owner;
  std::string context;
  std::string metadata;
  std::string ttl_minutes;
  std::string file; ///< drafts, one a line; "-": what comes in
  std::string source_tool;
  std::string source_daemon;
  std::string source_user;
};

/// Adds, and waits until what follows from it is kept, too.
exit_code run_add(const add_options& options, const command_environment& environment);

} // namespace scratchpage
