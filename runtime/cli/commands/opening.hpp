#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/client/agent_client.hpp"
#include "scratchpage/runtime/client/download.hpp"
#include "scratchpage/runtime/client/shared_agent.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/host/storage.hpp"

namespace scratchpage {

/// The directory that `--data` names; "" means the default. Error: `invalid_request` if it is the
/// address of a database.
caf::expected<std::filesystem::path> data_path(const std::filesystem::path& given);

/// As above; `invalid_request` if there is no database in the directory.
caf::expected<std::filesystem::path> existing_data(const std::filesystem::path& given);

/// Opens a data directory for a command. Errors: as above, and those of `storage::open`.
caf::expected<storage> open_storage(const std::filesystem::path& given, open_mode what);

/// The stored data of a directory, or whom to ask for it: the process that has the directory open,
/// or a server.
struct stored_data {
  std::optional<storage> here;
  client::download_source elsewhere; ///< if there is no `here`
};

/// Opens the stored data of a directory, unless the options name a server or another process has
/// the directory open. Errors: those of the directory.
caf::expected<stored_data> find_stored(const std::filesystem::path& data, const std::string& server,
  const std::filesystem::path& ca_file);

/// Downloads from whom `from` names. If that process has ended, or is one that answers nobody, such
/// as `import`, the error names the process that has the directory.
caf::error download_stored(const stored_data& from, const std::filesystem::path& data,
  const std::string& target, const client::take_piece& take);

/// Checks that a text can be the id of an agent.
caf::error check_agent_id(const std::string& id);

/// Checks that the store has the agent. The error names the agents that it has.
caf::error check_is_known(store& in, const std::string& agent_id);

/// Whether the configuration's MCP servers run while the agent is open. Only a command that begins
/// turns needs them.
enum class tool_servers : uint8_t { off, on };

/// Opens an agent of a data directory, which other processes may have open, too. Errors:
/// `storage_unavailable`, with the reason; `invalid_request`, with the option, or with the variable
/// of the environment that a server of the configuration needs; errors of recovery.
caf::expected<std::unique_ptr<client::shared_agent>> open_shared(
  const agent_options& options, open_mode what, tool_servers servers, const principal& who);

/// Opens an agent of a data directory or of a server. Errors: as above, and those of the server.
caf::expected<std::unique_ptr<agent_client>> open_agent(const agent_options& options,
  open_mode what, const principal& who, tool_servers servers = tool_servers::off);

/// As above, but prints the error and returns null if the agent cannot be opened; the exit code is
/// `bad_input` then. Warns if recovery had to cut off the end of the journal.
std::unique_ptr<agent_client> open_or_complain(const agent_options& options, open_mode what,
  const principal& who, const command_environment& environment);

/// The token for servers, from `$SCRATCHPAGE_TOKEN`; "": none. Other users can see command lines.
std::string token_of_environment();

/// Warns that recovery had to cut off the end of the journal, unless `damage` is "".
void warn_of_damage(const std::string& damage, const command_environment& environment);

/// Waits after a change until the daemons have processed it. Warns if that takes longer than
/// `within`.
void settle(agent_client& agent, const command_environment& environment,
  timespan within = std::chrono::seconds{10});

/// All goals of an agent with one of these statuses; an empty list means any status. Asks as often
/// as needed.
caf::expected<goal_list> every_goal(agent_client& agent, const std::vector<goal_status>& status);

/// The turns of an agent: open ones, then the latest; at most `most` of them.
caf::expected<turn_list> latest_turns(agent_client& agent, size_t most);

} // namespace scratchpage
