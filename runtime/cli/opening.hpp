#pragma once

#include <memory>

#include "scratchpage/runtime/cli/command_line.hpp"
#include "scratchpage/runtime/cli/open_agent.hpp"

namespace scratchpage {

/// Opens the agent and warns of what recovery had to cut off; null if it cannot
/// be opened, and then it has said why: `bad_input`.
std::unique_ptr<open_agent> open_or_complain(
  const agent_options& options, if_missing what, const command_environment& environment);

/// After a change: waits until what follows from it is kept, or says that this
/// will be made up for later.
void settle(open_agent& agent, const command_environment& environment);

} // namespace scratchpage
