#include "scratchpage/runtime/mcp/offers.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/runtime/operations/operation_list.hpp"

namespace scratchpage::mcp {

namespace {

/// What people administer, or get otherwise, no agent's model needs to know of.
constexpr std::array<std::string_view, 4> not_for_models{
  "scratch_list", "register_type", "goal_get", "action_complete"};

struct resource {
  std::string_view uri;
  std::string_view name;
  std::string_view description;
  std::string_view operation;
};

constexpr std::array resources{
  resource{"scratchpage://page", "page", "All live observations, the most important first",
    "get_active_observations"},
  resource{"scratchpage://goals", "goals", "Goals with their pending actions", "goals_list"},
  resource{"scratchpage://scratchbook", "scratchbook", "The view of your notes, todos and tasks",
    "scratch_read"},
};

constexpr std::string_view observation_prefix = "scratchpage://observations/";

bool is_for_models(const operation& x) {
  return std::find(not_for_models.begin(), not_for_models.end(), x.name) == not_for_models.end();
}

json::object definition_of(const operation& x) {
  return {{"name", x.name}, {"description", x.description}, {"inputSchema", x.input_schema()},
    {"outputSchema", {{"type", "object"}}},
    {"annotations", {{"readOnlyHint", !x.changes}, {"destructiveHint", false},
                      {"idempotentHint", !x.changes || x.idempotent}, {"openWorldHint", false}}}};
}

} // namespace

json::array tool_definitions() {
  json::array result;
  for (const auto& x : all_operations())
    if (is_for_models(x))
      result.push_back(definition_of(x));
  return result;
}

bool is_tool(std::string_view name) {
  const auto& all = all_operations();
  return std::any_of(
    all.begin(), all.end(), [&](const auto& x) { return x.name == name && is_for_models(x); });
}

json::array resource_definitions() {
  json::array result;
  for (const auto& x : resources)
    result.push_back({{"uri", x.uri}, {"name", x.name}, {"description", x.description},
      {"mimeType", "application/json"}});
  return result;
}

json::array resource_templates() {
  return {
    {{"uriTemplate", std::string{observation_prefix} + "{observation_id}"}, {"name", "observation"},
      {"description", "One observation, or null"}, {"mimeType", "application/json"}}};
}

json::array prompt_definitions() {
  json::object topic{{"name", "prompt"}, {"description", "What it is about"}};
  return {{{"name", "context"}, {"description", "What you should know now"},
            {"arguments", json::array{topic}}},
    {{"name", "handoff"}, {"description", "What the next session should know"}}};
}

std::optional<resource_source> source_of(std::string_view uri) {
  for (const auto& x : resources)
    if (x.uri == uri)
      return resource_source{std::string{x.operation}, {}};
  if (uri.starts_with(observation_prefix) && uri.size() > observation_prefix.size())
    return resource_source{
      "get_observation", {{"observation_id", uri.substr(observation_prefix.size())}}};
  return std::nullopt;
}

} // namespace scratchpage::mcp
