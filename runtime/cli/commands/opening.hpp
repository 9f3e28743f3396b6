#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/commands/open_storage.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/client/agent_client.hpp"
#include "scratchpage/runtime/client/shared_agent.hpp"

namespace scratchpage {

/// Whether the configuration's MCP servers run while the agent is open. Only who
/// begins turns needs them.
enum class tool_servers : uint8_t { off, on };

/// Who asks, and whose scratchbook they have.
struct asker {
  caller by;
  std::string thread_id;
};

/// An agent of a data directory, which other processes may use, too. Errors:
/// `storage_unavailable`, which says why; `invalid_request`, which names the option or
/// the variable that a server of the configuration needs; what recovery finds damaged.
caf::expected<std::unique_ptr<serve::shared_agent>> open_shared(
  const agent_options& options, if_missing what, tool_servers servers, const asker& who);

/// An agent of a data directory or of a server, for as long as a command runs. Errors:
/// as above, and what the server refuses with.
caf::expected<std::unique_ptr<agent_client>> open_agent(const agent_options& options,
  if_missing what, const asker& who, tool_servers servers = tool_servers::off);

/// As above; null if it cannot be opened, and then it has said why: `bad_input`. Warns
/// of what recovery had to cut off.
std::unique_ptr<agent_client> open_or_complain(const agent_options& options, if_missing what,
  const asker& who, const command_environment& environment);

/// Tells people what recovery had to cut off, if anything.
void warn_of_damage(const std::string& damage, const command_environment& environment);

/// After a change: waits until what follows from it is kept, or says that this
/// will be made up for later.
void settle(agent_client& agent, const command_environment& environment,
  timespan within = std::chrono::seconds{10});

} // namespace scratchpage
