#include <utility>
#include <vector>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/limits.hpp"
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

/// The caller gives the members of the draft, and so an error about the draft names those.
caf::error about_members(const caf::error& err) {
  constexpr std::string_view of_draft = "draft.";
  auto field = field_of(err);
  if (!field.starts_with(of_draft))
    return err;
  return fail(code_of(err), std::string_view{field}.substr(of_draft.size()),
    err.context().get_as<std::string>(1));
}

answer_of<goal> create(
  operation_run& run, const frontal_cortex_actor& goals, new_goal_arguments given) {
  if (given.goal_type.empty() || given.title.empty())
    return fail(errc::invalid_request, given.title.empty() ? "title" : "goal_type",
      "expected a text that is not empty");
  create_goal request{run.by(), {}};
  auto& draft = request.draft;
  draft.goal_type = std::move(given.goal_type);
  draft.title = std::move(given.title);
  draft.description = std::move(given.description);
  draft.priority = given.priority;
  draft.context = std::move(given.context);
  for (auto& one : given.pending_actions) {
    pending_action action;
    action.action_type = std::move(one.action_type);
    action.description = std::move(one.description);
    action.assigned_to = one.assigned_to;
    action.priority = one.priority;
    draft.pending_actions.push_back(std::move(action));
  }
  if (auto err = check_limits(request))
    return about_members(err);
  return run.ask<goal>(goals, std::move(request));
}

constexpr auto goals = &operations_parts::goals;

} // namespace

std::vector<operation> goal_operations() {
  using enum effect;
  using enum arguments_in;
  return {
    {.name = "goals_list",
      .description = "Goals with their pending actions",
      .also_called = "list_goals get_goals query_goals goals",
      .finds = "goal_id action_id",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/goals", query}},
      .resource = {{uri::goals, "goals", "Goals with their pending actions"}},
      .performed = performed_by<goals, list>()},
    {.name = "create_goal",
      .description = "Begin a goal",
      .for_models = "For a wish that takes several steps",
      .also_called = "add_goal set_goal new_goal goal",
      .least = role::daemon,
      .does = changes,
      .routes = {{"POST", "/v1/agents/{agent}/goals", body, 201}},
      .performed = performed_by<goals, create>()},
    {.name = "goal_get",
      .description = "One goal",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/goals/{goal_id}"}},
      .performed = passed_on<goals, get_goal, goal>()},
    {.name = "goal_update",
      .description = "Change a goal's status or progress",
      .also_called = "update_goal complete_goal change_goal",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"PATCH", "/v1/agents/{agent}/goals/{goal_id}", body}},
      .performed = passed_on<goals, update_goal, goal>()},
    {.name = "action_complete",
      .description = "Mark an action of a goal as done",
      .also_called = "complete_action finish_action",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/goals/{goal_id}/actions/{action_id}/complete"}},
      .performed = passed_on<goals, complete_action, goal>()},
    {.name = "action_refuse",
      .description = "Mark an action of a goal as one that nobody will do",
      .also_called = "refuse_action cancel_action",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/goals/{goal_id}/actions/{action_id}/refuse"}},
      .performed = passed_on<goals, refuse_action, goal>()},
  };
}

} // namespace scratchpage
