#include "scratchpage/runtime/cli/commands/page_commands.hpp"

#include <cmath>
#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/observation_view.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

/// The longest deadline: a command prefers a complete answer.
constexpr auto query_deadline_ms = query_limits::deadline_ms;

/// The filter and the part of its results, as arguments of an operation.
caf::expected<json::object> read_listing(const query_options& options) {
  option_reader read;
  std::string text;
  read.text("TEXT", options.text, text);
  auto filter = read_filter(options.filter);
  auto page = read_paging(options.paging);
  if (read.error())
    return read.error();
  if (!filter)
    return filter.error();
  if (!page)
    return page.error();
  if (!page->cursor.empty() && !text.empty())
    return fail(errc::invalid_request, "--cursor",
      "expected none with a text, whose order is not kept after the command; --limit shows up to "
      "1000");
  auto result = std::move(to_json(*filter).as_object());
  result["limit"] = page->limit;
  result["cursor"] = page->cursor;
  return result;
}

/// Says how to see further results, or where else to look; "" if all are shown.
std::string tell_more(const query_result& found, bool in_archive) {
  if (found.total_count == 0)
    return in_archive ? "`scratchpage query` lists those on the page"
                      : "`scratchpage archive` lists those that have left the page";
  if (!found.next_cursor.empty())
    return "--cursor " + found.next_cursor + " shows the next";
  return found.observations.size() < found.total_count ? "--limit shows more" : "";
}

exit_code print(
  const query_result& found, bool json, bool in_archive, const command_environment& environment) {
  if (json)
    environment.out << to_safe_text(to_json(found)) << '\n';
  else
    print_found(environment.out, environment.out_style, found, tell_more(found, in_archive));
  return finish(environment);
}

exit_code answer(const query_options& options, const std::string& operation, json::object arguments,
  const command_environment& environment) {
  auto agent =
    open_or_complain(options.agent, open_mode::existing, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<query_result>(operation, std::move(arguments));
  if (!found)
    return complain(environment, found.error());
  if (!options.text.empty())
    found->next_cursor.clear();
  return print(*found, options.agent.json, operation == "list_archive", environment);
}

std::string sum_of(const assembled_context& x, uint32_t budget) {
  auto result = std::to_string(x.tokens) + " of " + std::to_string(budget) + " tokens";
  for (const auto& part : x.parts) {
    result += &part == &x.parts.front() ? ": " : ", ";
    result += part.name + " " + std::to_string(part.tokens);
    if (part.left_out > 0)
      result += " (" + std::to_string(part.left_out) + " left out)";
  }
  return result;
}

/// Working memory has escaped the text of others already.
void print(const assembled_context& x, uint32_t budget, const command_environment& environment) {
  environment.out << x.text;
  if (!x.text.empty() && !x.text.ends_with('\n'))
    environment.out << '\n';
  environment.out.flush();
  environment.err << paint(environment.err_style, ink::faint, sum_of(x, budget)) << '\n';
}

constexpr size_t confidence_columns = 10;

ink ink_of(goal_status x) {
  switch (x) {
  case goal_status::completed:
    return ink::good;
  case goal_status::blocked:
    return ink::warn;
  case goal_status::abandoned:
    return ink::faint;
  default:
    return ink::accent;
  }
}

ink ink_of(priority x) {
  return x == priority::high ? ink::bad : x == priority::medium ? ink::warn : ink::faint;
}

std::string progress_of(const goal& x, const terminal_style& style) {
  return draw_bar(style, x.progress, confidence_columns) + " "
         + std::to_string(std::lround(x.progress * 100)) + " %";
}

/// The open actions, and who does them.
std::vector<table_cell> next_of(const goal& x) {
  std::vector<table_cell> result;
  for (const auto& action : x.pending_actions) {
    if (action.status == action_status::done || action.status == action_status::cancelled)
      continue;
    auto who = action.assigned_to == assignee::user ? "for you: " : "next: ";
    auto what = action.description.empty() ? action.action_type : action.description;
    result.push_back({who + what, ink::faint});
  }
  return result;
}

void print(const goal_list& found, const command_environment& environment) {
  const auto& style = environment.out_style;
  table rows{
    {{"GOAL"}, {"STATUS"}, {"PRIORITY"}, {"PROGRESS"}, {"EVIDENCE", true, true}, {"TITLE"}}};
  for (const auto& x : found.goals)
    rows.add({{x.goal_id, ink::accent}, {to_string(x.status), ink_of(x.status)},
               {to_string(x.priority), ink_of(x.priority)}, {progress_of(x, style)},
               {std::to_string(x.observation_ids.size())},
               {x.title.empty() ? x.goal_type : x.title, ink::bold}},
      next_of(x));
  if (!found.goals.empty()) {
    rows.print(environment.out, style);
    environment.out << '\n';
  }
  auto total = found.goals.empty()
                 ? "no goals; they come from observations, which `scratchpage query` lists"
                 : count_of(found.goals.size(), "goal");
  environment.out << paint(style, ink::faint, total) << '\n';
}

} // namespace

exit_code run_get(const get_options& options, const command_environment& environment) {
  std::string id;
  option_reader read;
  read.text("ID", options.observation_id, id);
  if (read.error())
    return complain(environment, read.error());
  auto agent =
    open_or_complain(options.agent, open_mode::existing, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<observation_ptr>("get_observation", {{"observation_id", id}});
  if (!found)
    return complain(environment, found.error());
  if (options.agent.json)
    environment.out << to_safe_text(to_json(*found)) << '\n';
  else if (*found)
    print_whole(environment.out, environment.out_style, **found);
  if (*found)
    return finish(environment);
  return complain(
    environment, fail(errc::not_found, "",
                   "there is no observation '" + options.observation_id + "' on the page of "
                     + options.agent.agent + "; `scratchpage archive` lists what has left it"));
}

exit_code run_query(const query_options& options, const command_environment& environment) {
  auto listing = read_listing(options);
  if (!listing)
    return complain(environment, listing.error());
  return answer(options, "query_observations",
    {{"query", options.text}, {"metadata", std::move(*listing)},
      {"deadline_ms", query_deadline_ms}},
    environment);
}

exit_code run_archive(const query_options& options, const command_environment& environment) {
  auto listing = read_listing(options);
  if (!listing)
    return complain(environment, listing.error());
  return answer(options, "list_archive", std::move(*listing), environment);
}

exit_code run_context(const context_options& options, const command_environment& environment) {
  std::string prompt;
  uint32_t budget = 0;
  option_reader read;
  read.text("PROMPT", options.prompt, prompt).whole_number("--budget", options.budget, budget);
  if (read.error())
    return complain(environment, read.error());
  auto agent =
    open_or_complain(options.agent, open_mode::existing, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<assembled_context>(
    "assemble_context", {{"prompt", prompt}, {"budget", budget}});
  if (!found)
    return complain(environment, found.error());
  if (options.agent.json)
    environment.out << to_safe_text(to_json(*found)) << '\n';
  else
    print(*found, budget, environment);
  return finish(environment);
}

exit_code run_goals(const goals_options& options, const command_environment& environment) {
  std::vector<goal_status> status;
  option_reader read;
  read.names("--status", options.status, status);
  if (read.error())
    return complain(environment, read.error());
  auto agent =
    open_or_complain(options.agent, open_mode::existing, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = every_goal(*agent, status);
  if (!found)
    return complain(environment, found.error());
  if (options.agent.json)
    environment.out << to_safe_text(to_json(*found)) << '\n';
  else
    print(*found, environment);
  return finish(environment);
}

} // namespace scratchpage
