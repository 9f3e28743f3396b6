#include "scratchpage/actors/daemons/turn_calls.hpp"

#include <algorithm>

#include "scratchpage/actors/daemons/turn_input.hpp"
#include "scratchpage/actors/policies/call_plan.hpp"

namespace scratchpage {

namespace {

call_record* find(std::vector<call_record>& calls, const observation& x) {
  auto id = text_member(x.metadata, "call_id");
  auto i = std::find_if(
    calls.begin(), calls.end(), [&](const call_record& call) { return call.call_id == id; });
  return i == calls.end() ? nullptr : &*i;
}

void add_duration(call_record& call, const observation& x) {
  if (const auto* took = x.metadata.if_contains("duration_ms"); took && took->is_number())
    call.duration_ms += took->to_number<double>();
}

void note(call_record& call, const observation& x) {
  if (x.type == "tool_result") {
    call.outcome = call_outcome::succeeded;
    call.tool_id = text_member(x.metadata, "tool_id");
    add_duration(call, x);
  } else if (x.type == "error_alert") {
    // A late alert of an earlier attempt does not undo a success.
    if (call.outcome != call_outcome::succeeded)
      call.outcome = call_outcome::failed;
    call.attempts = call.error.empty() ? 1 : call.attempts + 1;
    call.tool_id = text_member(x.metadata, "tool_id");
    call.error = text_member(x.metadata, "error");
    call.observation_ids.push_back(x.observation_id);
    add_duration(call, x);
  } else if (x.type == "recovery_plan") {
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
  if (auto execution = first_of(turn, "execution_plan"))
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
  for (const auto& x : ordered)
    if (auto* call = find(result, *x))
      note(*call, *x);
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

} // namespace scratchpage
