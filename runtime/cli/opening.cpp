#include "scratchpage/runtime/cli/opening.hpp"

#include <utility>

#include "scratchpage/runtime/cli/command_answer.hpp"
#include "scratchpage/runtime/cli/config_file.hpp"
#include "scratchpage/runtime/mcp_client/environment.hpp"
#include "scratchpage/runtime/operations/local_agent.hpp"

namespace scratchpage {

namespace {

/// A command's answer means that it is kept, whatever a server does.
config as_commands_need_it(config with, tool_servers servers) {
  with.durability.durability = durability::sync;
  if (servers == tool_servers::off)
    with.mcp_servers.clear();
  return with;
}

} // namespace

caf::expected<opened_agent> open_host(
  const agent_options& options, if_missing what, tool_servers servers) {
  if (auto err = check_agent_id(options.agent))
    return err;
  auto with = load_config_file(options.config);
  if (!with)
    return with.error();
  if (servers == tool_servers::on)
    if (auto err = mcp_client::check_variables(with->mcp_servers, "mcpServers"))
      return in_config_file(options.config, err);
  auto opened = open_storage(options.data, what);
  if (!opened)
    return opened.error();
  if (what == if_missing::refuse)
    if (auto err = check_is_known(*opened->store, options.agent))
      return err;
  auto host = std::make_unique<agent_host>(
    std::move(*opened), as_commands_need_it(std::move(*with), servers));
  auto agent = host->open(options.agent, what);
  if (!agent)
    return agent.error();
  return opened_agent{std::move(host), std::move(*agent)};
}

caf::expected<std::unique_ptr<agent_client>> open_agent(
  const agent_options& options, if_missing what) {
  auto opened = open_host(options, what, tool_servers::off);
  if (!opened)
    return opened.error();
  return std::unique_ptr<agent_client>{
    std::make_unique<local_agent>(std::move(opened->host), std::move(opened->agent))};
}

std::unique_ptr<agent_client> open_or_complain(
  const agent_options& options, if_missing what, const command_environment& environment) {
  auto opened = open_agent(options, what);
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

void settle(agent_client& agent, const command_environment& environment) {
  if (agent.settle())
    warn_of_unfinished(environment);
}

void warn_of_unfinished(const command_environment& environment) {
  warn(environment, "it is stored, but the daemons were not done with it in ten seconds; what "
                    "deserves a goal is offered again at the next command");
}

} // namespace scratchpage
