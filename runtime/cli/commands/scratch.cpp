#include "scratchpage/runtime/cli/commands/scratch.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/commands/scratch_threads.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

constexpr auto a_share = "a number from 0 to 1";

ink ink_of(item_status x) {
  switch (x) {
  case item_status::done:
    return ink::good;
  case item_status::blocked:
    return ink::warn;
  case item_status::archived:
    return ink::faint;
  default:
    return ink::accent;
  }
}

bool is_pinned(const scratchbook& in, const std::string& id) {
  return std::find(in.pins.begin(), in.pins.end(), id) != in.pins.end();
}

std::string progress_of(const scratchbook_item& x) {
  return x.progress ? std::to_string(std::lround(*x.progress * 100)) + " %" : "";
}

std::string title_of(const scratchbook_item& x) {
  auto result = x.title;
  for (const auto& tag : x.tags)
    result.append(" #").append(tag);
  return result;
}

std::vector<table_cell> notes_of(const scratchbook_item& x) {
  std::vector<table_cell> result;
  auto add = [&](std::string_view what, const std::string& text) {
    if (!text.empty())
      result.push_back({std::string{what} + text, ink::faint});
  };
  add("", x.body);
  add("phase: ", x.phase.value_or(""));
  add("goal: ", x.action_id.empty() ? x.goal_id : x.goal_id + ", action " + x.action_id);
  add("from: ", x.observation_id);
  return result;
}

void print(const scratchbook& found, const command_environment& environment) {
  const auto& style = environment.out_style;
  table rows{{{"ITEM"}, {"KIND"}, {"STATUS"}, {"PIN"}, {"PROGRESS", true, true}, {"TITLE"}}};
  for (const auto& x : found.items)
    rows.add({{x.id, ink::accent}, {to_string(x.kind)}, {to_string(x.status), ink_of(x.status)},
               {is_pinned(found, x.id) ? "pinned" : "", ink::warn}, {progress_of(x)},
               {title_of(x), ink::bold}},
      notes_of(x));
  if (!found.items.empty()) {
    rows.print(environment.out, style);
    environment.out << '\n';
  }
  auto total = found.items.empty() ? "no items" : count_of(found.items.size(), "item");
  environment.out << paint(style, ink::faint, total) << '\n';
}

/// Performs an operation on the scratchbook. If it fails, prints the error and sets `code`.
template <class Answer>
caf::expected<Answer> ask_book(const scratch_options& options, const std::string& operation,
  json::object arguments, open_mode what, const command_environment& environment, exit_code& code) {
  auto agent =
    open_or_complain(options.agent, what, {as_user(login_name()), options.thread}, environment);
  if (!agent) {
    code = exit_code::bad_input;
    return fail(errc::storage_unavailable, "", "");
  }
  auto found = agent->call_for<Answer>(operation, std::move(arguments));
  code = found ? exit_code::ok : complain(environment, found.error());
  return found;
}

exit_code change_item(const scratch_options& options, const std::string& operation,
  json::object arguments, open_mode what, const command_environment& environment) {
  auto code = exit_code::ok;
  auto item =
    ask_book<scratchbook_item>(options, operation, std::move(arguments), what, environment, code);
  if (!item)
    return code;
  if (options.agent.json)
    environment.out << to_safe_text(with_times(*item)) << '\n';
  else
    environment.out << item->id << '\n';
  return finish(environment);
}

exit_code mark(const scratch_item_options& options, const std::string& operation,
  const command_environment& environment) {
  std::string id;
  option_reader read;
  read.text("ID", options.id, id);
  if (read.error())
    return complain(environment, read.error());
  return change_item(options.in, operation, {{"id", id}}, open_mode::existing, environment);
}

} // namespace

exit_code run_scratch_read(
  const scratch_read_options& options, const command_environment& environment) {
  std::string after;
  option_reader read;
  read.text("--after", options.after, after);
  if (read.error())
    return complain(environment, read.error());
  auto code = exit_code::ok;
  auto found = ask_book<scratch_view>(
    options.in, "scratch_read", {{"after", after}}, open_mode::existing, environment, code);
  if (!found)
    return code;
  if (options.in.agent.json)
    environment.out << to_safe_text(to_json(*found)) << '\n';
  else
    environment.out << found->view << '\n';
  if (found->last.empty() && after.empty() && !options.in.agent.json)
    tell_of_threads(options.in, environment);
  return finish(environment);
}

exit_code run_scratch_list(const scratch_options& options, const command_environment& environment) {
  auto code = exit_code::ok;
  auto found =
    ask_book<scratchbook>(options, "scratch_list", {}, open_mode::existing, environment, code);
  if (!found)
    return code;
  if (options.agent.json)
    environment.out << to_safe_text(with_times(*found)) << '\n';
  else
    print(*found, environment);
  if (found->items.empty() && !options.agent.json)
    tell_of_threads(options, environment);
  return finish(environment);
}

exit_code run_scratch_add(
  const scratch_item_options& options, const command_environment& environment) {
  item_draft item;
  item.kind = item_kind::note;
  option_reader read;
  read.name("--kind", options.kind, item.kind)
    .text("TITLE", options.title, item.title)
    .text("--body", options.body, item.body)
    .texts("--tag", options.tags, item.tags)
    .text("--phase", options.phase, item.phase)
    .number("--progress", options.progress, item.progress, a_share)
    .text("--goal", options.goal_id, item.goal_id)
    .text("--action", options.action_id, item.action_id)
    .text("--observation", options.observation_id, item.observation_id);
  if (read.error())
    return complain(environment, read.error());
  return change_item(options.in, "scratch_add", std::move(to_json(item).as_object()),
    open_mode::create, environment);
}

exit_code run_scratch_update(
  const scratch_item_options& options, const command_environment& environment) {
  std::string id;
  item_changes to;
  option_reader read;
  read.text("ID", options.id, id);
  if (!options.status.empty())
    read.name("--status", options.status, to.status.emplace());
  read.text("--title", options.title, to.title)
    .text("--body", options.body, to.body)
    .text("--phase", options.phase, to.phase)
    .number("--progress", options.progress, to.progress, a_share);
  if (!options.tags.empty())
    read.texts("--tag", options.tags, to.tags.emplace());
  if (read.error())
    return complain(environment, read.error());
  auto arguments = std::move(to_json(to).as_object());
  arguments["id"] = id;
  return change_item(
    options.in, "scratch_update", std::move(arguments), open_mode::existing, environment);
}

exit_code run_scratch_complete(
  const scratch_item_options& options, const command_environment& environment) {
  return mark(options, "scratch_complete", environment);
}

exit_code run_scratch_pin(
  const scratch_item_options& options, const command_environment& environment) {
  return mark(options, "scratch_pin", environment);
}

exit_code run_scratch_unpin(
  const scratch_item_options& options, const command_environment& environment) {
  return mark(options, "scratch_unpin", environment);
}

} // namespace scratchpage
