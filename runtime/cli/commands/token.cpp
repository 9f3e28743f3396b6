#include "scratchpage/runtime/cli/commands/token.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_choices.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

namespace {

using auth::token_entry;
using auth::token_file;
using auth::token_state;

caf::expected<token_file> file_of(const token_options& x) {
  if (!x.tokens.empty())
    return token_file{x.tokens};
  auto data = data_path(x.data);
  if (!data)
    return data.error();
  return token_file{token_file::in(*data)};
}

void read_expiry(
  option_reader& read, const std::string& text, timestamp now, std::optional<timestamp>& out) {
  if (auto span = read_span(text); span && !text.ends_with('s'))
    out = to_milliseconds(now + *span);
  else if (!text.empty() && text.find_first_of("-:") == std::string::npos)
    read.refuse("--expires", "up to 3650d such as 90m, 12h or 30d, or a time", text);
  else
    read.time("--expires", text, out);
  if (out && *out <= now)
    read.refuse("--expires", "a time in the future", text);
}

void check_name(option_reader& read, const std::string& name) {
  if (!auth::is_token_text(name))
    read.refuse("--name", "1 to 200 bytes of text", name);
  if (looks_like_component(name))
    read.refuse("--name", "a name that no component of the agent has", name);
  if (!is_plain_name(name))
    read.refuse("--name", plain_name, name);
}

void check_agents(option_reader& read, const std::vector<std::string>& agents) {
  for (const auto& x : agents)
    if (!auth::is_token_text(x))
      read.refuse("--agents", "agents' ids of 1 to 200 bytes each", x);
  if (agents.size() > auth::max_agent_patterns)
    read.refuse("--agents", "100 at most", std::to_string(agents.size()));
}

/// If the file is full, removes the token that ended longest ago.
void make_room(std::vector<token_entry>& tokens, timestamp now) {
  if (tokens.size() < auth::max_tokens)
    return;
  auto ended_at = [now](const token_entry& x) {
    auto end = timestamp::max();
    if (auth::state_of(x, now) != token_state::valid)
      end = std::min(x.revoked_at.value_or(end), x.expires_at.value_or(end));
    return end;
  };
  auto first = std::min_element(tokens.begin(), tokens.end(),
    [&](const auto& a, const auto& b) { return ended_at(a) < ended_at(b); });
  if (ended_at(*first) < timestamp::max())
    tokens.erase(first);
}

auto with_id(std::vector<token_entry>& tokens, const std::string& id) {
  return std::find_if(
    tokens.begin(), tokens.end(), [&id](const token_entry& x) { return x.id == id; });
}

caf::expected<auth::token> add_to(
  std::vector<token_entry>& tokens, token_entry entry, timestamp now) {
  make_room(tokens, now);
  std::optional<auth::token> made;
  do { // an id is random, and may exist already
    made = auth::make_token();
    if (!made)
      return fail(errc::internal, "", "the system has no random numbers");
  } while (with_id(tokens, made->id) != tokens.end());
  entry.id = made->id;
  entry.hash = auth::hash_of(made->secret);
  tokens.push_back(std::move(entry));
  return *made;
}

/// A token as JSON, without its hash, which is of no use to a reader.
json::object shown(const token_entry& x, timestamp now) {
  auto result = to_json(x).as_object();
  result.stable_erase(result.find("hash"));
  result["state"] = to_json(auth::state_of(x, now));
  return result;
}

ink ink_of(token_state x) {
  return x == token_state::valid ? ink::good : ink::faint;
}

std::string minute_of(const std::optional<timestamp>& at) {
  if (!at)
    return "";
  auto text = to_rfc3339(*at).substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

std::string joined(const std::vector<std::string>& xs) {
  std::string result;
  for (const auto& x : xs)
    result.append(result.empty() ? "" : ",").append(x);
  return result;
}

void print(
  const std::vector<token_entry>& tokens, timestamp now, const command_environment& environment) {
  const auto& style = environment.out_style;
  table rows{{{"ID"}, {"STATE"}, {"ROLE"}, {"RIGHT"}, {"PERSON"}, {"AGENTS"},
    {"CREATED (UTC)", false, true}, {"EXPIRES (UTC)"}, {"NAME"}}};
  for (const auto& x : tokens) {
    auto state = auth::state_of(x, now);
    rows.add({{x.id, ink::accent}, {to_string(state), ink_of(state)}, {to_string(x.role)},
      {to_string(x.right)}, {auth::is_persons(x) ? "yes" : ""}, {joined(x.agents)},
      {minute_of(x.created_at), ink::faint}, {minute_of(x.expires_at)}, {x.name, ink::bold}});
  }
  if (!tokens.empty()) {
    rows.print(environment.out, style);
    environment.out << '\n';
  }
  auto total = tokens.empty() ? "no tokens; `scratchpage token add --name NAME` makes one"
                              : count_of(tokens.size(), "token");
  environment.out << paint(style, ink::faint, total) << '\n';
}

constexpr auto footer = R"(
A token is shown only once, when it is made. Its hash is kept in tokens.json in the
data directory, which only you may read. A running server notices each change within
a second.

Examples:
  scratchpage token add --name "ada's laptop" --agents ada --person --expires 90d
  scratchpage token add --name dashboard --read-only | ssh host 'cat > token'
  scratchpage token list
  scratchpage token revoke k3v7xq2m

Exit codes:
  0  done
  1  there is no such token, or the file of tokens cannot be used
  2  a usage error, or a damaged file of tokens; nothing is changed
)";

void define_place(CLI::App& app, token_options& x) {
  constexpr auto place = "The tokens";
  auto* data = app.add_option("--data", x.data,
    "The data directory [$SCRATCHPAGE_DATA, else $XDG_DATA_HOME/scratchpage or "
    "~/.local/share/scratchpage]");
  auto* tokens = app.add_option("--tokens", x.tokens, "The file of tokens [the data directory's]");
  data->type_name("DIR")->group(place)->excludes(tokens);
  tokens->type_name("FILE")->group(place);
  app.add_flag("--json", x.json, "Answer in JSON, one value per line")->group("Outputs");
}

} // namespace

exit_code run_token_add(const token_add_options& options, const command_environment& environment) {
  auto now = to_milliseconds(wall_clock{}.now());
  token_entry entry;
  entry.agents.clear();
  std::vector<std::string> names;
  std::vector<role> roles;
  option_reader read;
  read.texts("--name", {options.name}, names).names("--role", {options.role}, roles);
  read.texts("--agents", options.agents, entry.agents);
  for (const auto& x : names)
    check_name(read, x);
  check_agents(read, entry.agents);
  if (options.person && options.role == name_of(role::tool))
    read.refuse(
      "--person", "the role 'daemon' or 'admin', since a tool is no person", options.role);
  read_expiry(read, options.expires, now, entry.expires_at);
  if (read.error())
    return complain(environment, read.error());
  if (entry.agents.empty())
    entry.agents = {"*"};
  entry.name = options.name;
  entry.role = roles.front();
  entry.person = options.person;
  entry.right = options.read_only ? auth::right::read : auth::right::write;
  entry.created_at = now;
  auto file = file_of(options.in);
  if (!file)
    return complain(environment, file.error());
  auth::token made;
  auto err = file->change([&](std::vector<token_entry>& tokens) -> caf::error {
    auto added = add_to(tokens, entry, now);
    if (!added)
      return added.error();
    made = std::move(*added);
    return {};
  });
  if (err)
    return complain(environment, err);
  if (options.in.json)
    environment.out << to_safe_text(json::object{{"id", made.id}, {"token", auth::to_text(made)}})
                    << '\n';
  else
    environment.out << auth::to_text(made) << '\n';
  environment.err
    << "scratchpage: this token is not shown again; send it as 'Authorization: Bearer "
       "TOKEN', and revoke it with 'scratchpage token revoke "
    << made.id << "'\n";
  return finish(environment);
}

exit_code run_token_list(const token_options& options, const command_environment& environment) {
  auto file = file_of(options);
  if (!file)
    return complain(environment, file.error());
  auto found = file->read();
  if (!found)
    return complain(environment, found.error());
  auto now = wall_clock{}.now();
  if (!options.json)
    print(found->tokens, now, environment);
  else
    for (const auto& x : found->tokens)
      environment.out << to_safe_text(shown(x, now)) << '\n';
  return finish(environment);
}

exit_code run_token_revoke(
  const token_revoke_options& options, const command_environment& environment) {
  auto file = file_of(options.in);
  if (!file)
    return complain(environment, file.error());
  auto now = to_milliseconds(wall_clock{}.now());
  std::optional<token_entry> revoked;
  auto err = file->change([&](std::vector<token_entry>& tokens) -> caf::error {
    auto found = with_id(tokens, options.id);
    if (found == tokens.end())
      return fail(errc::not_found, "ID", "expected the id of a token, as 'token list' has it");
    if (!found->revoked_at)
      found->revoked_at = now;
    revoked = *found;
    return {};
  });
  if (err)
    return complain(environment, err);
  if (options.in.json)
    environment.out << to_safe_text(shown(*revoked, now)) << '\n';
  else
    environment.out << revoked->id << '\n';
  return finish(environment);
}

token_commands::token_commands(CLI::App& app) {
  auto* token = app.add_subcommand("token", "Manage access tokens");
  token->require_subcommand(1);
  token->footer(footer);
  auto define = [&](const char* name, const char* about, token_options& in, auto& options,
                  auto* run) -> CLI::App& {
    auto* command = token->add_subcommand(name, about);
    define_place(*command, in);
    command->callback([this, &options, run] {
      chosen_ = [&options, run](const command_environment& env) { return run(options, env); };
    });
    return *command;
  };
  auto& add = define("add", "Make a token and print it", add_.in, add_, &run_token_add);
  add.add_option("--name", add_.name, "The name of its holder")->required()->type_name("NAME");
  add
    .add_option("--agents", add_.agents,
      "The agents it may use, separated by commas; '*' stands for any text [*]")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->type_name("IDS");
  offer_names<role>(add.add_option("--role", add_.role, "Its role: " + all_names<role>()))
    ->capture_default_str()
    ->type_name("R");
  add.add_flag("--person", add_.person,
    "Its holder is a person, who may approve actions and consent to calls");
  add.add_flag("--read-only", add_.read_only, "It may only read");
  add
    .add_option("--expires", add_.expires,
      "When it ends: after minutes, hours or days (90m, 12h, 30d), or at a time [never]")
    ->type_name("SPAN|TIME");
  define("list", "List the tokens, without their secrets", list_, list_, &run_token_list);
  define("revoke", "Revoke a token", revoke_.in, revoke_, &run_token_revoke)
    .add_option("ID", revoke_.id, "The token's id, which is its part between the first two '_'")
    ->required()
    ->type_name("");
}

} // namespace scratchpage
