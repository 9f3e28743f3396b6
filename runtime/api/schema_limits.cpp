#include "scratchpage/runtime/api/schema_limits.hpp"

#include <utility>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/goal_limits.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query_limit.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"
#include "scratchpage/runtime/api/draft_batch.hpp"

namespace scratchpage {

namespace {

json::object& member(json::object& schema, json::string_view name) {
  return schema["properties"].get_object()[name].get_object();
}

void add(json::object& to, const json::object& words) {
  for (const auto& [word, value] : words)
    to[word] = value;
}

const json::object type_name{{"pattern", "^[a-z][a-z0-9_]{0,63}$"}};

// -- observations (contract 1) -------------------------------------------------------

void limit_contents(json::object& x) {
  add(member(x, "content"), {{"minLength", 1}, {"maxLength", draft_limits::content_bytes}});
  add(member(x, "tags")["items"].get_object(),
    {{"minLength", 1}, {"maxLength", draft_limits::tag_characters}});
  add(member(x, "owner"), {{"minLength", 1}, {"maxLength", draft_limits::owner_bytes}});
  add(member(x, "confidence"),
    {{"description", "what is outside [0, 1] is clamped, with a warning"}});
  add(member(x, "ttl_minutes"),
    {{"description", "what is outside [0, 525600] is the default, with a warning"}});
}

void limit_draft(json::object& x) {
  limit_contents(x);
  add(member(x, "type"), type_name);
  add(member(x, "status"), {{"enum", {"active", "pending_review"}}});
}

void limit_drafts(json::object& x) {
  add(member(x, "drafts"), {{"maxItems", draft_limits::drafts}});
}

void limit_update(json::object& x) {
  auto& changes = member(x, "changes");
  limit_contents(changes);
  add(member(changes, "status"), {{"enum", {"active", "pending_review", "resolved", "archived"}}});
}

void limit_type(json::object& x) {
  add(member(x, "type"), type_name);
}

void limit_listing(json::object& x) {
  add(member(x, "limit"), {{"minimum", 1}, {"maximum", 1'000}, {"default", 10}});
}

void limit_active(json::object& x) {
  add(member(x, "limit"), {{"minimum", 1}, {"maximum", max_query_limit}, {"default", 100}});
}

void limit_query(json::object& x) {
  limit_listing(member(x, "metadata"));
  add(member(x, "deadline_ms"), {{"maximum", query_limits::deadline_ms}});
}

// -- goals, turns, scratchbooks ------------------------------------------------------

void limit_goals(json::object& x) {
  add(member(x, "limit"),
    {{"minimum", 1}, {"maximum", list_goals::most}, {"default", list_goals::most}});
}

void limit_goal(json::object& x) {
  add(member(x, "title"), {{"maxLength", goal_limits::title_bytes}});
  add(member(x, "description"), {{"maxLength", goal_limits::description_bytes}});
  add(member(x, "progress"), {{"minimum", 0}, {"maximum", 1}});
}

void limit_turn(json::object& x) {
  add(member(x, "deadline_ms"), {{"minimum", 0}, {"maximum", begin_turn::longest_ms}});
  add(member(x, "traceparent"), {{"description", "as in W3C Trace Context"}});
}

void limit_turns(json::object& x) {
  add(member(x, "limit"), {{"minimum", 1}, {"maximum", list_turns::most}, {"default", 20}});
}

void limit_trace(json::object& x) {
  add(member(x, "turn_id"), {{"minLength", 1}});
  add(member(x, "limit"),
    {{"minimum", 1}, {"maximum", trace_order::most}, {"default", trace_order::most}});
}

void limit_item(json::object& x) {
  add(member(x, "title"), {{"minLength", 1}});
}

} // namespace

void add_limits(std::string_view operation, json::object& arguments) {
  using limiter = void (*)(json::object&);
  static const std::pair<std::string_view, limiter> all[] = {
    {"add_observation", limit_draft},
    {"add_observations", limit_drafts},
    {"update_observation", limit_update},
    {"query_observations", limit_query},
    {"list_observations", limit_listing},
    {"get_active_observations", limit_active},
    {"list_archive", limit_listing},
    {"register_type", limit_type},
    {"goals_list", limit_goals},
    {"goal_update", limit_goal},
    {"begin_turn", limit_turn},
    {"turns_list", limit_turns},
    {"turn_trace", limit_trace},
    {"scratch_add", limit_item},
    {"scratch_update", limit_item},
  };
  for (const auto& [name, limit] : all)
    if (name == operation)
      limit(arguments);
}

} // namespace scratchpage
