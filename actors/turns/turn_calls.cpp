#include "scratchpage/actors/turns/turn_calls.hpp"

#include <algorithm>
#include <map>

#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"

namespace scratchpage {

namespace {

using ids = std::vector<std::string>;
using ids_by_alert = std::map<std::string, ids>; ///< of alerts about several calls

bool is_about_several(const observation& x) {
  return is_executors_alert(x) && x.metadata.contains("call_ids");
}

/// The calls of which one alert of the Executor says that nobody knows their tools.
ids ids_in(const observation& alert) {
  ids result;
  const auto* list = alert.metadata.if_contains("call_ids");
  if (list == nullptr || !list->is_array())
    return result;
  for (const auto& id : list->get_array())
    if (id.is_string())
      result.emplace_back(id.get_string());
  return result;
}

/// The calls that it is about: the one that it names, or those of its alert.
ids concerned(const observation& x, const ids_by_alert& several) {
  auto id = text_member(x.metadata, "call_id");
  if (!id.empty())
    return {id};
  auto alert = is_handlers_plan(x) ? text_member(x.metadata, "error_alert_id") : x.observation_id;
  auto found = several.find(alert);
  return found != several.end() ? found->second : ids{};
}

call_record* find(std::vector<call_record>& calls, const std::string& id) {
  auto i = std::find_if(
    calls.begin(), calls.end(), [&](const call_record& call) { return call.call_id == id; });
  return i == calls.end() ? nullptr : &*i;
}

void add_duration(call_record& call, const observation& x) {
  if (const auto* took = x.metadata.if_contains("duration_ms"); took && took->is_number())
    call.duration_ms += took->to_number<double>();
}

/// Anybody may add observations of these types to a turn, but only these sources know of its calls.
void note(call_record& call, const observation& x) {
  if (is_result_of_call(x)) {
    call.outcome = call_outcome::succeeded;
    call.tool_id = text_member(x.metadata, "tool_id");
    add_duration(call, x);
  } else if (is_executors_alert(x)) {
    // A late alert of an earlier attempt does not undo a success.
    if (call.outcome != call_outcome::succeeded)
      call.outcome = call_outcome::failed;
    call.attempts = call.error.empty() ? 1 : call.attempts + 1;
    if (x.metadata.contains("call_id"))
      call.tool_id = text_member(x.metadata, "tool_id");
    call.error = text_member(x.metadata, "error");
    call.observation_ids.push_back(x.observation_id);
    add_duration(call, x);
  } else if (is_handlers_plan(x)) {
    error_class kind{};
    if (from_string(text_member(x.metadata, "error_class"), kind))
      call.kind = kind;
    recovery_action action{};
    if (from_string(text_member(x.metadata, "action"), action))
      call.action = action;
    call.observation_ids.push_back(x.observation_id);
  }
}

} // namespace

std::vector<call_record> calls_of(const std::vector<observation_ptr>& turn) {
  std::vector<call_record> result;
  auto input = first_of(turn, "user_input");
  auto planned = input ? read_plan(*input) : std::vector<planned_call>{};
  auto plan = planned ? call_plan::make(std::move(*planned)) : planned.error();
  if (!plan)
    return result;
  if (auto execution = execution_of(turn))
    for (auto& call : read_resumed(*execution))
      plan->append(std::move(call));
  for (const auto* call : plan->calls()) {
    call_record record;
    record.call_id = call->call_id;
    record.planned_tool = record.tool_id = call->tool_id;
    record.outcome = call_outcome::skipped;
    result.push_back(std::move(record));
  }
  auto ordered = turn;
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return a->observation_id.size() != b->observation_id.size()
             ? a->observation_id.size() < b->observation_id.size()
             : a->observation_id < b->observation_id;
  });
  ids_by_alert several;
  for (const auto& x : ordered) {
    if (is_about_several(*x))
      several.emplace(x->observation_id, ids_in(*x));
    for (const auto& id : concerned(*x, several))
      if (auto* call = find(result, id))
        note(*call, *x);
  }
  for (auto& call : result)
    if (call.outcome == call_outcome::succeeded && !call.error.empty())
      ++call.attempts; // the one that worked
  return result;
}

observation_ptr first_of(const std::vector<observation_ptr>& turn, std::string_view type) {
  auto i = std::find_if(
    turn.begin(), turn.end(), [&](const auto& x) { return x->type == type && !is_from_tool(*x); });
  return i == turn.end() ? observation_ptr{} : *i;
}

observation_ptr execution_of(const std::vector<observation_ptr>& turn) {
  return first_by("executor", turn, "execution_plan");
}

observation_ptr first_by(
  std::string_view daemon, const std::vector<observation_ptr>& turn, std::string_view type) {
  auto i = std::find_if(turn.begin(), turn.end(), [&](const auto& x) {
    return x->type == type && x->source.kind == source_kind::daemon && x->source.name == daemon;
  });
  return i == turn.end() ? observation_ptr{} : *i;
}

} // namespace scratchpage
