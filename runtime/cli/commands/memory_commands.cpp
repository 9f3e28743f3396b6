#include "scratchpage/runtime/cli/commands/memory_commands.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

/// Opens the agent for the local user, who owns what is in the directory.
std::unique_ptr<agent_client> open_as_owner(
  const agent_options& options, const command_environment& environment) {
  return open_or_complain(options, open_mode::existing, {as_admin(login_name()), {}}, environment);
}

/// The last line of a list. If the list is empty, `when_empty` says where its members come from.
void print_end(size_t shown, const char* what, const std::string& more, const char* when_empty,
  const command_environment& environment) {
  auto total = shown == 0 ? "no " + std::string{what} + "s; " + when_empty : count_of(shown, what);
  if (!more.empty())
    total += "; " + more;
  environment.out << paint(environment.out_style, ink::faint, total) << '\n';
}

std::string next_part(const std::string& cursor) {
  return cursor.empty() ? "" : "--cursor " + cursor + " shows the next";
}

template <class T>
exit_code print_json(const T& x, const command_environment& environment) {
  environment.out << to_safe_text(to_json(x)) << '\n';
  return finish(environment);
}

// -- facts ----------------------------------------------------------------------------

/// Who says so, since when, and what it was learnt from.
std::vector<table_cell> grounds_of(const fact& x) {
  std::vector<table_cell> result;
  auto add = [&](const char* what, const std::vector<std::string>& of) {
    std::string text;
    for (const auto& one : of)
      text += (text.empty() ? what : ", ") + one;
    if (!text.empty())
      result.push_back({std::move(text), ink::faint});
  };
  add("said by ", x.sources);
  add("learnt from ", x.observation_ids);
  if (x.valid_until)
    result.push_back({"ended " + to_rfc3339(*x.valid_until), ink::warn});
  return result;
}

void print(
  const fact_list& found, const std::string& more, const command_environment& environment) {
  table rows{{{"FACT"}, {"SURE", true, true}, {"SUPPORT", true, true}, {"SINCE"}, {"STATEMENT"}}};
  for (const auto& x : found.facts)
    rows.add({{x.fact_id, ink::accent}, {std::to_string(std::lround(x.confidence * 100)) + " %"},
               {std::to_string(x.support)}, {to_rfc3339(x.valid_from).substr(0, 10)},
               {x.statement, x.valid_until ? ink::faint : ink::bold}},
      grounds_of(x));
  if (!found.facts.empty()) {
    rows.print(environment.out, environment.out_style);
    environment.out << '\n';
  }
  print_end(
    found.facts.size(), "fact", more, "`scratchpage facts --add TEXT` adds one", environment);
}

/// The operation that changes a fact, with its arguments; nothing if the command only lists.
std::optional<std::pair<std::string, json::object>> change_of(const facts_options& x) {
  if (x.add)
    return std::pair{std::string{"add_fact"}, json::object{{"statement", x.text}}};
  if (!x.correct.empty())
    return std::pair{
      std::string{"update_fact"}, json::object{{"fact_id", x.correct}, {"statement", x.text}}};
  if (!x.end.empty())
    return std::pair{std::string{"update_fact"}, json::object{{"fact_id", x.end}, {"ended", true}}};
  return std::nullopt;
}

// -- episodes and turns ---------------------------------------------------------------

void print(const episode_list& found, const command_environment& environment) {
  const auto& style = environment.out_style;
  for (const auto& x : found.episodes) {
    environment.out << paint(style, ink::accent, escaped(x.turn_id)) << ' '
                    << to_rfc3339(x.started_at) << ' '
                    << paint(style, ink::faint, escaped(x.thread_id)) << '\n';
    for (const auto& one : x.observations)
      environment.out << "  " << paint(style, ink::faint, escaped(said_by(one->source))) << ' '
                      << escaped(one->type) << ": " << escaped(one->content) << '\n';
    environment.out << '\n';
  }
  print_end(found.episodes.size(), "episode", next_part(found.next_cursor),
    "a turn becomes one when it ends, and `scratchpage turns` lists turns", environment);
}

void print(const turn_list& found, const command_environment& environment) {
  table rows{{{"TURN"}, {"STATUS"}, {"BEGAN"}, {"OBSERVATIONS", true, true}, {"INPUT"}}};
  for (const auto& x : found.turns)
    rows.add({{x.turn_id, ink::accent}, {to_string(x.status)}, {to_rfc3339(x.started_at)},
      {std::to_string(x.observations)}, {x.input, ink::bold}});
  if (!found.turns.empty()) {
    rows.print(environment.out, environment.out_style);
    environment.out << '\n';
  }
  auto more =
    found.next_before ? "--before " + to_rfc3339(*found.next_before) + " shows the next" : "";
  print_end(found.turns.size(), "turn", more,
    "an agent begins one with `begin_turn`, over MCP or HTTP", environment);
}

/// Leaves out the turns that had ended by then. The list has open turns first, then the latest.
void leave_out_turns_before(timestamp after, turn_list& in) {
  std::erase_if(in.turns, [&](const auto& x) { return x.ended_at && *x.ended_at <= after; });
  if (in.next_before && *in.next_before <= after)
    in.next_before.reset();
}

} // namespace

exit_code run_facts(const facts_options& options, const command_environment& environment) {
  std::string text;
  std::string user;
  option_reader read;
  read.text("TEXT", options.text, text).text("--user", options.user, user);
  auto paging = read_paging(options.paging);
  if (read.error() || !paging)
    return complain(environment, read.error() ? read.error() : paging.error());
  if ((options.add || !options.correct.empty()) && text.empty())
    return complain(
      environment, fail(errc::invalid_request, "TEXT", "expected the statement of the fact"));
  auto agent = open_as_owner(options.agent, environment);
  if (!agent)
    return exit_code::bad_input;
  fact_list told;
  if (auto change = change_of(options)) {
    auto changed = agent->call_for<fact>(change->first, std::move(change->second));
    if (!changed)
      return complain(environment, changed.error());
    if (options.agent.json)
      return print_json(*changed, environment);
    told.facts.push_back(std::move(*changed));
  } else {
    auto found = agent->call_for<fact_list>("query_facts",
      {{"query", text}, {"user_id", user}, {"limit", paging->limit}, {"cursor", paging->cursor}});
    if (!found)
      return complain(environment, found.error());
    if (options.agent.json)
      return print_json(*found, environment);
    told = std::move(*found);
  }
  print(told, next_part(told.next_cursor), environment);
  return finish(environment);
}

exit_code run_episodes(const episodes_options& options, const command_environment& environment) {
  json::object arguments;
  std::string text;
  std::string turn;
  option_reader read;
  read.text("TEXT", options.text, text).text("--turn", options.turn, turn);
  auto paging = read_paging(options.paging);
  if (read.error() || !paging)
    return complain(environment, read.error() ? read.error() : paging.error());
  auto when = read_time_range(options.after, options.before);
  if (!when)
    return complain(environment, when.error());
  arguments = {
    {"query", text}, {"turn_id", turn}, {"limit", paging->limit}, {"cursor", paging->cursor}};
  if (when->after)
    arguments["after"] = to_json(*when->after);
  if (when->before)
    arguments["before"] = to_json(*when->before);
  auto agent = open_as_owner(options.agent, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<episode_list>("query_episodes", std::move(arguments));
  if (!found)
    return complain(environment, found.error());
  if (options.agent.json)
    return print_json(*found, environment);
  print(*found, environment);
  return finish(environment);
}

exit_code run_turns(const turns_options& options, const command_environment& environment) {
  auto limit = list_turns{}.limit;
  option_reader read;
  read.whole_number("--limit", options.limit, limit);
  if (read.error())
    return complain(environment, read.error());
  auto when = read_time_range(options.after, options.before);
  if (!when)
    return complain(environment, when.error());
  json::object arguments{{"limit", limit}};
  if (when->before)
    arguments["before"] = to_json(*when->before);
  auto agent = open_as_owner(options.agent, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<turn_list>("turns_list", std::move(arguments));
  if (!found)
    return complain(environment, found.error());
  if (when->after)
    leave_out_turns_before(*when->after, *found);
  if (options.agent.json)
    return print_json(*found, environment);
  print(*found, environment);
  return finish(environment);
}

exit_code run_forget(const forget_options& options, const command_environment& environment) {
  std::string id;
  option_reader read;
  read.text("ID", options.id, id);
  if (read.error())
    return complain(environment, read.error());
  const auto* member = id.starts_with("fact_")   ? "fact_id"
                       : id.starts_with("turn_") ? "turn_id"
                                                 : "observation_id";
  auto agent = open_as_owner(options.agent, environment);
  if (!agent)
    return exit_code::bad_input;
  auto done = agent->call_for<forgotten>(forget_name, {{member, id}});
  if (!done)
    return complain(environment, done.error());
  if (options.agent.json)
    return print_json(*done, environment);
  for (const auto* ids : {&done->observation_ids, &done->fact_ids, &done->turn_ids})
    for (const auto& one : *ids)
      environment.out << "forgotten " << escaped(one) << '\n';
  return finish(environment);
}

} // namespace scratchpage
