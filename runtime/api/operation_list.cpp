#include "scratchpage/runtime/api/operation_list.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

json::object parsed(std::string_view schema) {
  return json::parse(json::string_view{schema.data(), schema.size()}).get_object();
}

// Schemas say what a model has to know to call; arguments are read strictly in any case.

constexpr std::string_view draft =
  R"({"type": "object", "properties": {
        "type": {"type": "string"}, "content": {"type": "string"},
        "confidence": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}},
        "context": {"type": "object"}, "ttl_minutes": {"type": "number"},
        "turn_id": {"type": "string"}},
      "required": ["type", "content"]})";

constexpr std::string_view drafts =
  R"({"type": "object", "properties": {
        "drafts": {"type": "array", "items": {"type": "object"}}, "turn_id": {"type": "string"}},
      "required": ["drafts"]})";

constexpr std::string_view query =
  R"({"type": "object", "properties": {
        "query": {"type": "string"},
        "metadata": {"type": "object", "properties": {
          "type": {"type": "string"}, "status": {"type": "string"},
          "tags": {"type": "array", "items": {"type": "string"}},
          "min_confidence": {"type": "number"}, "context": {"type": "object"},
          "limit": {"type": "integer"}, "cursor": {"type": "string"}}}}})";

constexpr std::string_view listing =
  R"({"type": "object", "properties": {
        "type": {"type": "string"}, "status": {"type": "string"}, "owner": {"type": "string"},
        "limit": {"type": "integer"}, "cursor": {"type": "string"}}})";

constexpr std::string_view part =
  R"({"type": "object", "properties": {
        "limit": {"type": "integer"}, "cursor": {"type": "string"}}})";

constexpr std::string_view one_observation =
  R"({"type": "object", "properties": {"observation_id": {"type": "string"}},
      "required": ["observation_id"]})";

constexpr std::string_view update =
  R"({"type": "object", "properties": {
        "observation_id": {"type": "string"}, "changes": {"type": "object"},
        "expected_revision": {"type": "integer"},
        "on_conflict": {"type": "string", "enum": ["last_write_wins", "reject"]}},
      "required": ["observation_id", "changes"]})";

constexpr std::string_view several_ids =
  R"({"type": "object",
      "properties": {"observation_ids": {"type": "array", "items": {"type": "string"}}},
      "required": ["observation_ids"]})";

constexpr std::string_view new_type =
  R"({"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]})";

constexpr std::string_view nothing = R"({"type": "object"})";

constexpr std::string_view turn =
  R"({"type": "object", "properties": {
        "input": {"type": "string"}, "user_id": {"type": "string"},
        "plan": {"type": "array", "items": {"type": "object"}},
        "hold": {"type": "boolean", "description": "keep it open until end_turn"}},
      "required": ["input"]})";

constexpr std::string_view turn_id =
  R"({"type": "object", "properties": {"turn_id": {"type": "string"}}, "required": ["turn_id"]})";

constexpr std::string_view turn_part =
  R"({"type": "object", "properties": {
        "turn_id": {"type": "string"}, "limit": {"type": "integer"}, "cursor": {"type": "string"}},
      "required": ["turn_id"]})";

constexpr std::string_view some_turns =
  R"({"type": "object", "properties": {
        "limit": {"type": "integer"}, "before": {"type": "string"}}})";

constexpr std::string_view goals =
  R"({"type": "object", "properties": {
        "status": {"type": "string"}, "limit": {"type": "integer"},
        "cursor": {"type": "string"}}})";

constexpr std::string_view goal_id =
  R"({"type": "object", "properties": {"goal_id": {"type": "string"}}, "required": ["goal_id"]})";

constexpr std::string_view goal_change =
  R"({"type": "object", "properties": {
        "goal_id": {"type": "string"}, "status": {"type": "string"},
        "priority": {"type": "string"}, "progress": {"type": "number"}},
      "required": ["goal_id"]})";

constexpr std::string_view action =
  R"({"type": "object",
      "properties": {"goal_id": {"type": "string"}, "action_id": {"type": "string"}},
      "required": ["goal_id", "action_id"]})";

constexpr std::string_view prompt =
  R"({"type": "object",
      "properties": {"prompt": {"type": "string"}, "budget": {"type": "integer"}}})";

constexpr std::string_view after =
  R"({"type": "object", "properties": {"after": {"type": "string"}}})";

constexpr std::string_view item =
  R"({"type": "object", "properties": {
        "kind": {"type": "string", "enum": ["note", "todo", "task"]},
        "title": {"type": "string"}, "body": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}}, "goal_id": {"type": "string"}},
      "required": ["kind", "title"]})";

constexpr std::string_view item_change =
  R"({"type": "object", "properties": {
        "id": {"type": "string"},
        "status": {"type": "string",
                   "enum": ["open", "in_progress", "blocked", "done", "archived"]},
        "title": {"type": "string"}, "body": {"type": "string"},
        "progress": {"type": "number"}},
      "required": ["id"]})";

constexpr std::string_view item_id =
  R"({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]})";

/// What changes something; `again` adds nothing when it is called again.
constexpr bool changes = true;
constexpr bool again = true;

} // namespace

json::object operation::input_schema() const {
  return parsed(inputs);
}

const std::vector<operation>& all_operations() {
  using enum role;
  static const std::vector<operation> all{
    {"add_observation", "Tell the others what you noticed", draft, tool, changes},
    {"add_observations", "Several at once; each is judged by itself", drafts, tool, changes},
    {"query_observations", "Find live observations by text and filter", query, tool},
    {"list_observations", "Live observations, the newest first", listing, tool},
    {"get_observation", "One observation, or null", one_observation, tool},
    {"get_active_observations", "Live ones, the most important first", part, tool},
    {"update_observation", "Change status, content, confidence, tags, context", update, tool,
      changes, again},
    {"archive_observation", "Take one off the page", one_observation, tool, changes},
    {"clear_resolved", "Archive these resolved ones, all or none", several_ids, daemon, changes},
    {"list_archive", "What has left the page", listing, tool},
    {"page_stats", "What the page counts, and its last change", nothing, tool},
    {"subscribers_list", "Who listens, and how far each is", nothing, daemon},
    {"register_type", "Allow another type; for admins", new_type, admin, changes, again},
    {"begin_turn", "Work on an input: urgency, questions, goals, what is known", turn, daemon,
      changes},
    {"end_turn", "Let a held turn end, and get its result", turn_id, daemon, changes, again},
    {"await_turn", "Wait for a turn, and get its result", turn_id, daemon},
    {"turns_list", "Turns, open ones first, then the last", some_turns, daemon},
    {"turn_trace", "What was done in a turn, and why", turn_part, daemon},
    {"goals_list", "Goals with their pending actions", goals, daemon},
    {"goal_get", "One goal", goal_id, daemon},
    {"goal_update", "Change a goal", goal_change, daemon, changes, again},
    {"action_complete", "Mark a goal's action done", action, daemon, changes, again},
    {"action_refuse", "Mark a goal's action as one that nobody will do", action, daemon, changes,
      again},
    {"assemble_context", "What to know now, within a budget of tokens", prompt, daemon},
    {"scratch_read", "Your notes, todos and tasks. after: the last id you saw", after, daemon},
    {"scratch_list", "Every item and what is pinned", nothing, daemon},
    {"scratch_add", "Keep a note, todo or task", item, daemon, changes},
    {"scratch_update", "Change an item", item_change, daemon, changes, again},
    {"scratch_complete", "Mark an item done", item_id, daemon, changes, again},
    {"scratch_pin", "Keep an item on top", item_id, daemon, changes, again},
    {"scratch_unpin", "Undo scratch_pin", item_id, daemon, changes, again},
  };
  return all;
}

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> result;
  for (const auto& x : all_operations())
    result.push_back(x.name);
  return result;
}

const operation* find_operation(std::string_view name) {
  const auto& all = all_operations();
  auto found =
    std::find_if(all.begin(), all.end(), [&](const operation& x) { return x.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool changes_something(std::string_view name) {
  const auto* found = find_operation(name);
  return found != nullptr && found->changes;
}

} // namespace scratchpage
