#include "scratchpage/runtime/cli/commands/opening.hpp"

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/client/linked_agent.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

constexpr size_t max_named = 10; // agents, in an error

/// Refuses the address of a database: it has no lock that keeps commands out, and a command would
/// take the agent from the server that has it. The error does not repeat the address, which may
/// have a password.
caf::error check_is_directory(const fs::path& data) {
  if (!storage::is_connection(data.string()))
    return {};
  return fail(errc::invalid_request, "--data",
    "expected a directory; commands do not work on a database, which others may be using");
}

/// Refuses a directory without a database: a command that only reads creates none.
caf::error check_is_there(const fs::path& data) {
  std::error_code ec;
  if (fs::exists(data_directory::database_in(data), ec) && !ec)
    return {};
  return fail(errc::invalid_request, "--data",
    "expected a data directory, but " + data.string() + " is empty; `scratchpage add` creates one");
}

/// The configuration for a command. The answer of a command means that its change is on the disk,
/// whatever durability a server would have.
config as_commands_need_it(config with, tool_servers servers) {
  with.durability.durability = durability::sync;
  if (servers == tool_servers::off)
    with.mcp_servers.clear();
  return with;
}

bool is_unknown_agent(const caf::error& err) {
  return code_of(err) == errc::not_found && field_of(err) == "agent";
}

/// The error in terms of the option. Names the agents of the directory if no other process uses it.
caf::error name_agents(
  const std::filesystem::path& data, const std::string& agent_id, const caf::error& why) {
  auto opened = storage::open(data.string());
  auto named = opened ? check_is_known(*opened->store, agent_id) : why;
  return named ? named : why;
}

caf::expected<std::unique_ptr<agent_client>> open_linked(
  const agent_options& options, open_mode what, const principal& who) {
  if (auto err = check_agent_id(options.agent))
    return err;
  auto opened = client::linked_agent::open({options.server, options.agent, who.thread_id, who.by,
    token_of_environment(), options.ca_file.string(), what});
  if (!opened)
    return opened.error();
  return std::unique_ptr<agent_client>{std::move(*opened)};
}

/// More answers than an agent's goals need, in case a server never ends its list.
constexpr size_t max_answers = 1'000;

} // namespace

std::string token_of_environment() {
  const auto* token = std::getenv("SCRATCHPAGE_TOKEN"); // NOLINT(concurrency-mt-unsafe)
  return token == nullptr ? "" : token;
}

caf::expected<fs::path> data_path(const fs::path& given) {
  auto data = given.empty() ? default_data_directory() : given;
  if (auto err = check_is_directory(data))
    return err;
  return data;
}

caf::expected<fs::path> existing_data(const fs::path& given) {
  auto data = data_path(given);
  if (data)
    if (auto err = check_is_there(*data))
      return err;
  return data;
}

caf::expected<storage> open_storage(const fs::path& given, open_mode what) {
  auto data = what == open_mode::existing ? existing_data(given) : data_path(given);
  if (!data)
    return data.error();
  return storage::open(data->string());
}

caf::expected<stored_data> find_stored(
  const fs::path& given, const std::string& server, const fs::path& ca_file) {
  stored_data result;
  result.elsewhere.by = as_admin(login_name());
  if (!server.empty()) {
    result.elsewhere.by = as_daemon(login_name()); // a server on the network takes no other claim
    result.elsewhere.url = server;
    result.elsewhere.token = token_of_environment();
    result.elsewhere.ca_file = ca_file.string();
    lower_thread_priority(); // if the server is on this machine, it has others to answer, too
    return result;
  }
  auto data = existing_data(given);
  if (!data)
    return data.error();
  auto directory = data_directory::try_open(*data);
  if (!directory)
    return directory.error();
  if (!*directory) {
    auto socket = data_directory::socket_in(*data);
    std::error_code ec;
    if (fs::is_socket(socket, ec)) {
      result.elsewhere.socket_path = socket.string();
      lower_thread_priority(); // the process that has the directory goes first
      return result;
    }
  }
  // A process such as `import` answers nobody; the error names it.
  auto opened =
    *directory ? storage::open_in(std::move(**directory)) : storage::open(data->string());
  if (!opened)
    return opened.error();
  result.here.emplace(std::move(*opened));
  return result;
}

caf::error download_stored(const stored_data& from, const fs::path& given,
  const std::string& target, const client::take_piece& take) {
  auto has_begun = false;
  auto err = client::download(from.elsewhere, target, [&](std::string_view piece) {
    has_begun = true;
    return take(piece);
  });
  if (!err || has_begun || code_of(err) != errc::storage_unavailable
      || from.elsewhere.socket_path.empty())
    return err;
  auto opened = open_storage(given, open_mode::existing);
  return opened ? fail(errc::storage_unavailable, "",
           "the process that had the data directory has ended meanwhile; try again")
                : opened.error();
}

caf::error check_agent_id(const std::string& id) {
  if (!id.empty() && utf8::is_valid(id))
    return {};
  return fail(errc::invalid_request, "--agent", "expected an agent's id, in UTF-8");
}

caf::error check_is_known(store& in, const std::string& agent_id) {
  auto found = in.find_agent(agent_id);
  if (!found)
    return found.error();
  if (*found)
    return {};
  auto known = in.agents_after("", max_named + 1);
  if (!known)
    return known.error();
  std::string names;
  for (size_t i = 0; i < known->size() && i < max_named; ++i)
    names += (names.empty() ? "" : ", ") + (*known)[i];
  if (known->size() > max_named)
    names += " and others";
  return fail(errc::invalid_request, "--agent",
    "expected an agent of this data directory (" + (names.empty() ? "there is none yet" : names)
      + "), got '" + agent_id + "'");
}

caf::expected<std::unique_ptr<client::shared_agent>> open_shared(
  const agent_options& options, open_mode what, tool_servers servers, const principal& who) {
  if (auto err = check_agent_id(options.agent))
    return err;
  auto with = load_config_file(options.config);
  if (!with)
    return with.error();
  if (servers == tool_servers::on)
    if (auto err = mcp_client::check_variables(with->mcp_servers, "mcpServers"))
      return in_config_file(options.config, err);
  auto data = what == open_mode::existing ? existing_data(options.data) : data_path(options.data);
  if (!data)
    return data.error();
  client::shared_agent_setup setup{*data, options.agent, who.thread_id, who.by,
    as_commands_need_it(std::move(*with), servers), what};
  auto opened = client::shared_agent::open(std::move(setup));
  if (!opened && is_unknown_agent(opened.error()))
    return name_agents(*data, options.agent, opened.error());
  return opened;
}

caf::expected<std::unique_ptr<agent_client>> open_agent(
  const agent_options& options, open_mode what, const principal& who, tool_servers servers) {
  if (!options.server.empty())
    return open_linked(options, what, who);
  auto opened = open_shared(options, what, servers, who);
  if (!opened)
    return opened.error();
  return std::unique_ptr<agent_client>{std::move(*opened)};
}

std::unique_ptr<agent_client> open_or_complain(const agent_options& options, open_mode what,
  const principal& who, const command_environment& environment) {
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
    warn(environment, "the end of the journal was damaged and has been cut off: " + damage);
}

void settle(agent_client& agent, const command_environment& environment, timespan within) {
  if (agent.settle(within))
    warn(environment, "it is stored, but the daemons did not process it in time; what may become a "
                      "goal is offered again at the next command");
}

caf::expected<goal_list> every_goal(agent_client& agent, const std::vector<goal_status>& status) {
  goal_list result;
  std::string cursor;
  for (size_t i = 0; i < max_answers && (i == 0 || !cursor.empty()); ++i) {
    json::object arguments{{"status", to_json(status)}};
    if (!cursor.empty())
      arguments["cursor"] = cursor;
    auto part = agent.call_for<goal_list>("goals_list", std::move(arguments));
    if (!part)
      return part;
    std::move(part->goals.begin(), part->goals.end(), std::back_inserter(result.goals));
    result.total_count = part->total_count;
    cursor = std::move(part->next_cursor);
  }
  return result;
}

caf::expected<turn_list> latest_turns(agent_client& agent, size_t most) {
  return agent.call_for<turn_list>("turns_list", {{"limit", most}});
}

} // namespace scratchpage
