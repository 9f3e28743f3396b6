#include "scratchpage/runtime/mcp/server/tool_help.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/near_names.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/tool_result.hpp"

namespace scratchpage::mcp {

namespace {

/// Whether `word` is one of those in `words`, which have blanks between.
bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word)
      return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// The arguments that a tool takes; those that it needs come first.
std::string taken_by(const operation& tool) {
  auto schema = tool.input_schema();
  std::string needed, others;
  auto is_needed = [&](std::string_view name) {
    const auto* all = schema.if_contains("required");
    return all != nullptr && std::ranges::any_of(all->get_array(), [name](const auto& x) {
      return std::string_view{x.get_string()} == name;
    });
  };
  if (const auto* members = object_in(schema, "properties"))
    for (const auto& [name, one] : *members) {
      auto& list = is_needed(name) ? needed : others;
      list.append(list.empty() ? "" : ", ").append(name);
    }
  if (needed.empty())
    return others.empty() ? "takes no arguments" : "takes " + others;
  return "needs " + needed + (others.empty() ? "" : " and takes " + others);
}

bool is_about_arguments(errc code) {
  return code == errc::invalid_request || code == errc::invalid_observation
         || code == errc::immutable_field;
}

} // namespace

std::string tool_help::tool_that_finds(std::string_view id, std::string_view but) const {
  for (const auto& x : all_operations())
    if (x.offered_to >= least_ && x.name != but && has_word(x.finds, id))
      return std::string{x.name};
  return {};
}

std::string tool_help::tools_called(std::string_view name) const {
  std::string result;
  for (const auto& x : all_operations())
    if (x.offered_to >= least_ && has_word(x.also_called, name))
      result.append(result.empty() ? "" : " or ").append(x.name);
  return result;
}

std::string tool_help::for_unknown(std::string_view name) const {
  std::vector<std::string_view> offered;
  for (const auto& x : all_operations())
    if (x.offered_to >= least_)
      offered.push_back(x.name);
  auto meant = tools_called(as_member_name(name));
  if (meant.empty())
    for (auto near : near_names(name, offered, {}, 2))
      meant.append(meant.empty() ? "" : " or ").append(near);
  auto result = "Unknown tool: " + shown_name(name);
  if (!meant.empty())
    result += "; did you mean " + meant + "?";
  auto separator = meant.empty() ? ". Tools: " : " Tools: ";
  for (auto x : offered)
    result.append(std::exchange(separator, ", ")).append(x);
  return result;
}

std::string tool_help::after(
  const caf::error& why, std::string_view tool, std::string_view type) const {
  auto code = code_of(why);
  if (code == errc::unknown_type) {
    auto better = tools_called(as_member_name(type));
    return better.empty() ? "" : "Or call " + better + " instead";
  }
  if (code == errc::not_found) {
    auto finder = tool_that_finds(field_of(why), tool);
    return finder.empty() ? "" : "Call " + finder + " to find one";
  }
  const auto* what = find_operation(tool);
  if (what == nullptr || !is_about_arguments(code))
    return {};
  return std::string{tool} + " " + taken_by(*what);
}

json::object tool_help::refusal(
  const caf::error& why, std::string_view tool, std::string_view type) const {
  auto said = describe(why);
  auto next = after(why, tool, type);
  if (!next.empty())
    said.append(said.ends_with('?') ? " " : ". ").append(next);
  return tool_refusal(said);
}

audience least_audience(const principal& who) {
  return who.simple_tools ? audience::simple_models : audience::models;
}

} // namespace scratchpage::mcp
