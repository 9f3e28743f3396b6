#pragma once

#include <cstdint>
#include <memory>

#include "scratchpage/runtime/agent_host.hpp"
#include "scratchpage/runtime/cli/agent_options.hpp"
#include "scratchpage/runtime/cli/command_line.hpp"
#include "scratchpage/runtime/cli/open_storage.hpp"
#include "scratchpage/runtime/operations/agent_client.hpp"

namespace scratchpage {

/// Whether the configuration's MCP servers run while the agent is open. Only who
/// begins turns needs them.
enum class tool_servers : uint8_t { off, on };

/// An agent of a data directory in this process.
struct opened_agent {
  std::unique_ptr<agent_host> host;
  hosted_agent_ptr agent;
};

/// Also `invalid_request`, if a server needs a variable that is not set.
caf::expected<opened_agent> open_host(
  const agent_options& options, if_missing what, tool_servers servers);

/// An agent of a data directory, for as long as a command runs. Errors:
/// `storage_unavailable`, which says why or who uses the directory; `invalid_request`,
/// which names the option; what recovery finds damaged.
caf::expected<std::unique_ptr<agent_client>> open_agent(
  const agent_options& options, if_missing what);

/// As above; null if it cannot be opened, and then it has said why: `bad_input`. Warns
/// of what recovery had to cut off.
std::unique_ptr<agent_client> open_or_complain(
  const agent_options& options, if_missing what, const command_environment& environment);

/// Tells people what recovery had to cut off, if anything.
void warn_of_damage(const std::string& damage, const command_environment& environment);

/// After a change: waits until what follows from it is kept, or says that this
/// will be made up for later.
void settle(agent_client& agent, const command_environment& environment);

/// Tells people that this did not come to an end in time.
void warn_of_unfinished(const command_environment& environment);

} // namespace scratchpage
