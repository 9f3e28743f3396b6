#include <utility>
#include <vector>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/runtime/api/handler.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

/// The operations of goals.

namespace scratchpage {

namespace {

/// Without a limit, callers from outside get at most `list_goals::most` goals; only the ensemble
/// gets all.
answer_of<goal_list> list(
  operation_run& run, const frontal_cortex_actor& goals, arguments_of<list_goals> given) {
  list_goals request = std::move(static_cast<list_goals&>(given));
  request.by = run.by();
  request.limit = request.limit.value_or(list_goals::most);
  return run.ask<goal_list>(goals, std::move(request));
}

constexpr auto goals = &operations_parts::goals;

} // namespace

std::vector<operation> goal_operations() {
  using enum effect;
  using enum arguments_in;
  return {
    {.name = "goals_list",
      .description = "Goals with their pending actions",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/goals", query}},
      .resource = {{uri::goals, "goals", "Goals with their pending actions"}},
      .performed = performed_by<goals, list>()},
    {.name = "goal_get",
      .description = "One goal",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/goals/{goal_id}"}},
      .performed = passed_on<goals, get_goal, goal>()},
    {.name = "goal_update",
      .description = "Change a goal",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"PATCH", "/v1/agents/{agent}/goals/{goal_id}", body}},
      .performed = passed_on<goals, update_goal, goal>()},
    {.name = "action_complete",
      .description = "Mark a goal's action done",
      .least = role::daemon,
      .does = changes_once,
      .offered_to = audience::programs,
      .routes = {{"POST", "/v1/agents/{agent}/goals/{goal_id}/actions/{action_id}/complete"}},
      .performed = passed_on<goals, complete_action, goal>()},
    {.name = "action_refuse",
      .description = "Mark a goal's action as one that nobody will do",
      .least = role::daemon,
      .does = changes_once,
      .offered_to = audience::programs,
      .routes = {{"POST", "/v1/agents/{agent}/goals/{goal_id}/actions/{action_id}/refuse"}},
      .performed = passed_on<goals, refuse_action, goal>()},
  };
}

} // namespace scratchpage
