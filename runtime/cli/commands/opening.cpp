#include "scratchpage/runtime/cli/commands/opening.hpp"

#include <cstdlib>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/config_file.hpp"
#include "scratchpage/runtime/client/linked_agent.hpp"
#include "scratchpage/runtime/mcp/client/environment.hpp"

namespace scratchpage {

namespace {

/// A command's answer means that it is kept, whatever a server does.
config as_commands_need_it(config with, tool_servers servers) {
  with.durability.durability = durability::sync;
  if (servers == tool_servers::off)
    with.mcp_servers.clear();
  return with;
}

bool is_unknown_agent(const caf::error& err) {
  return code_of(err) == errc::not_found && field_of(err) == "agent";
}

/// The same in the words of the option, with those that there are if nobody else uses
/// the directory now.
caf::error name_agents(
  const std::filesystem::path& data, const std::string& agent_id, const caf::error& why) {
  auto opened = storage::open(data.string());
  auto named = opened ? check_is_known(*opened->store, agent_id) : why;
  return named ? named : why;
}

/// A token is nothing to write on a command line, where others see it.
std::string token_of_environment() {
  const auto* token = std::getenv("SCRATCHPAGE_TOKEN"); // NOLINT(concurrency-mt-unsafe)
  return token == nullptr ? "" : token;
}

caf::expected<std::unique_ptr<agent_client>> open_linked(
  const agent_options& options, if_missing what, const asker& who) {
  if (auto err = check_agent_id(options.agent))
    return err;
  auto opened = serve::linked_agent::open({options.server, options.agent, who.thread_id, who.by,
    token_of_environment(), options.ca_file.string(), what});
  if (!opened)
    return opened.error();
  return std::unique_ptr<agent_client>{std::move(*opened)};
}

} // namespace

caf::expected<std::unique_ptr<serve::shared_agent>> open_shared(
  const agent_options& options, if_missing what, tool_servers servers, const asker& who) {
  if (auto err = check_agent_id(options.agent))
    return err;
  auto with = load_config_file(options.config);
  if (!with)
    return with.error();
  if (servers == tool_servers::on)
    if (auto err = mcp_client::check_variables(with->mcp_servers, "mcpServers"))
      return in_config_file(options.config, err);
  auto data = what == if_missing::refuse ? existing_data(options.data) : data_path(options.data);
  if (!data)
    return data.error();
  serve::shared_agent_setup setup{*data, options.agent, who.thread_id, who.by,
    as_commands_need_it(std::move(*with), servers), what};
  auto opened = serve::shared_agent::open(std::move(setup));
  if (!opened && is_unknown_agent(opened.error()))
    return name_agents(*data, options.agent, opened.error());
  return opened;
}

caf::expected<std::unique_ptr<agent_client>> open_agent(
  const agent_options& options, if_missing what, const asker& who, tool_servers servers) {
  if (!options.server.empty())
    return open_linked(options, what, who);
  auto opened = open_shared(options, what, servers, who);
  if (!opened)
    return opened.error();
  return std::unique_ptr<agent_client>{std::move(*opened)};
}

std::unique_ptr<agent_client> open_or_complain(const agent_options& options, if_missing what,
  const asker& who, const command_environment& environment) {
  auto opened = open_agent(options, what, who);
  if (!opened) {
    complain_of_input(environment, opened.error());
    return nullptr;
  }
  warn_of_damage((*opened)->damage(), environment);
  return std::move(*opened);
}

void warn_of_damage(const std::string& damage, const command_environment& environment) {
  if (!damage.empty())
    warn(environment, "the journal's end was damaged and is cut off: " + damage);
}

void settle(agent_client& agent, const command_environment& environment, timespan within) {
  if (agent.settle(within))
    warn(environment, "it is stored, but the daemons were not done with it in time; what deserves "
                      "a goal is offered again at the next command");
}

} // namespace scratchpage
