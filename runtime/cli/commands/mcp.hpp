#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

struct mcp_options {
  agent_options agent;
  std::string thread = "main"; ///< whose scratchbook the client has
  std::string name;            ///< as what it notices things; "": mcp_client
};

/// Serves one client of the Model Context Protocol on the standard input and output,
/// until the input ends, or a signal comes, and everything is answered: `unmet` if it
/// could not be in time.
exit_code run_mcp(const mcp_options& options, const command_environment& environment);

} // namespace scratchpage
