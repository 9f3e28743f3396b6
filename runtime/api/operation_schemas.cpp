#include "scratchpage/runtime/api/operation_schemas.hpp"

#include <functional>
#include <map>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/json_schema.hpp"
#include "scratchpage/runtime/api/schema_limits.hpp"

namespace scratchpage {

namespace {

using schema_maker = std::function<operation_schema()>;

template <class Arguments, class Result>
operation_schema between() {
  return {json_schema<Arguments>(members::closed), json_schema<Result>(members::open)};
}

template <class Arguments>
operation_schema without_result() {
  return {json_schema<Arguments>(members::closed), {}};
}

/// The observation, and what was put right on the way.
json::object stored_observation() {
  auto result = json_schema<observation>(members::open);
  result["properties"].get_object()["warnings"] =
    json_schema<std::vector<std::string>>(members::open);
  return result;
}

template <class Arguments>
operation_schema storing() {
  return {json_schema<Arguments>(members::closed), stored_observation()};
}

operation_schema storing_several() {
  json::object refused{
    {"type", "object"}, {"properties", {{"error", schema_of_error()}}}, {"required", {"error"}}};
  json::object results{
    {"type", "array"}, {"items", {{"anyOf", {stored_observation(), std::move(refused)}}}}};
  return {json_schema<drafts_arguments>(members::closed),
    {{"type", "object"}, {"properties", {{"results", std::move(results)}}},
      {"required", {"results"}}}};
}

operation_schema maybe_observation() {
  auto result = between<arguments_of<get_observation>, observation>();
  result.result = {{"anyOf", {std::move(result.result), {{"type", "null"}}}}};
  return result;
}

/// Whose turn it is, everybody knows.
operation_schema beginning_a_turn() {
  auto result = between<arguments_of<begin_turn>, turn_result>();
  result.arguments["properties"].get_object().erase("agent_id");
  return result;
}

const std::map<std::string_view, schema_maker>& makers() {
  static const std::map<std::string_view, schema_maker> all{
    {"add_observation", storing<draft_arguments>},
    {"add_observations", storing_several},
    {"query_observations", between<query_arguments, query_result>},
    {"list_observations", between<listing_arguments, query_result>},
    {"get_observation", maybe_observation},
    {"get_active_observations", between<arguments_of<get_active_observations>, query_result>},
    {"update_observation", storing<arguments_of<update_observation>>},
    {"archive_observation", without_result<arguments_of<archive_observation>>},
    {"clear_resolved", without_result<arguments_of<clear_resolved>>},
    {"list_archive", between<listing_arguments, query_result>},
    {"subscribers_list", between<arguments_of<list_subscribers>, subscriber_list>},
    {"page_stats", between<no_arguments, page_stats>},
    {"register_type", without_result<arguments_of<register_type>>},
    {"begin_turn", beginning_a_turn},
    {"end_turn", between<arguments_of<end_turn>, turn_result>},
    {"await_turn", between<arguments_of<await_turn>, turn_result>},
    {"turns_list", between<arguments_of<list_turns>, turn_list>},
    {"turn_trace", between<trace_order, turn_trace>},
    {"goals_list", between<arguments_of<list_goals>, goal_list>},
    {"goal_get", between<arguments_of<get_goal>, goal>},
    {"goal_update", between<arguments_of<update_goal>, goal>},
    {"action_complete", between<arguments_of<complete_action>, goal>},
    {"action_refuse", between<arguments_of<refuse_action>, goal>},
    {"assemble_context", between<arguments_of<assemble_context>, assembled_context>},
    {"scratch_read", between<after_argument, scratch_view>},
    {"scratch_list", between<no_arguments, scratchbook>},
    {"scratch_add", between<item_draft, scratchbook_item>},
    {"scratch_update", between<item_update, scratchbook_item>},
    {"scratch_complete", between<id_argument, scratchbook_item>},
    {"scratch_pin", between<id_argument, scratchbook_item>},
    {"scratch_unpin", between<id_argument, scratchbook_item>},
  };
  return all;
}

} // namespace

operation_schema schema_of_operation(std::string_view operation) {
  auto found = makers().find(operation);
  if (found == makers().end())
    return {};
  auto result = found->second();
  add_limits(operation, result.arguments);
  return result;
}

json::object schema_of_error() {
  json::object text{{"type", "string"}};
  auto code = json_schema<errc>(members::open);
  return {{"type", "object"},
    {"properties", {{"code", std::move(code)}, {"message", text}, {"field", text}}},
    {"required", {"code", "message"}}};
}

} // namespace scratchpage
