#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/commands/filter_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

struct tail_options {
  agent_options agent;
  filter_options filter;
  std::string from = "now"; ///< an event's id, now, or start
  std::string count;        ///< of events; "": all there will be
  std::string wait = "10";  ///< seconds in which nobody may have the agent
};

/// Tells of what happens on an agent's page, a line an event, until a signal asks to end,
/// nobody reads it any more, there were as many events as wanted, or nobody has the
/// agent for too long: `unmet`.
exit_code run_tail(const tail_options& options, const command_environment& environment);

} // namespace scratchpage
