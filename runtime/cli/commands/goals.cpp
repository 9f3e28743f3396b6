#include "scratchpage/runtime/cli/commands/goals.hpp"

#include <cmath>
#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/commands/every_goal.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"
#include "scratchpage/runtime/cli/terminal/table.hpp"

namespace scratchpage {

namespace {

constexpr size_t bar_columns = 10;

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
  return draw_bar(style, x.progress, bar_columns) + " "
         + std::to_string(std::lround(x.progress * 100)) + " %";
}

/// What is still to be done, and by whom.
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
  auto total = found.goals.empty() ? "no goals" : count_of(found.goals.size(), "goal");
  environment.out << paint(style, ink::faint, total) << '\n';
}

} // namespace

exit_code run_goals(const goals_options& options, const command_environment& environment) {
  std::vector<goal_status> status;
  option_reader read;
  read.names("--status", options.status, status);
  if (read.error())
    return complain(environment, read.error());
  auto agent =
    open_or_complain(options.agent, if_missing::refuse, {as_user(login_name()), {}}, environment);
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
