#include "scratchpage/runtime/simulation/played_calls.hpp"

#include <algorithm>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

played_call& call_named(std::vector<played_call>& calls, const std::string& id) {
  auto i =
    std::find_if(calls.begin(), calls.end(), [&](const played_call& x) { return x.call_id == id; });
  if (i != calls.end())
    return *i;
  calls.emplace_back().call_id = id;
  return calls.back();
}

void note_request(played_call& call, const trace_entry& entry) {
  if (call.tool_id.empty()) {
    call.tool_id = text_member(entry.detail, "tool_id");
    call.started_at = entry.at;
    call.attempts = 0;
  }
  ++call.attempts;
  call.has_answer = false;
}

void note_response(played_call& call, const trace_entry& entry) {
  call.duration_ms = in_milliseconds(entry.at - call.started_at);
  auto tool = text_member(entry.detail, "tool_id");
  call.has_answer = true;
  if (entry.detail.contains("unanswered")) {
    call.status = tool_status::partial;
    call.has_answer = false;
    return;
  }
  if (entry.status == "success") {
    call.status = tool_status::ok;
    call.recovered_by = tool == call.tool_id ? "" : tool;
    return;
  }
  call.status = tool_status::error;
  from_string(entry.status, call.status);
  if (call.error.empty())
    call.error = text_member(entry.detail, "error");
}

/// Sorts calls in the order of the plan. Calls that are in no known plan keep their order.
void order_as_planned(std::vector<played_call>& calls, const turn_result& turn) {
  std::vector<std::string> order;
  for (const auto& x : turn.observations) {
    if (x->type != "user_input")
      continue;
    auto plan = read_plan(*x);
    if (!plan)
      continue;
    for (const auto& call : *plan)
      order.push_back(call.call_id);
  }
  auto place = [&](const played_call& x) {
    return std::find(order.begin(), order.end(), x.call_id) - order.begin();
  };
  std::stable_sort(calls.begin(), calls.end(),
    [&](const played_call& a, const played_call& b) { return place(a) < place(b); });
}

} // namespace

std::optional<double> duration_of(const turn_result& x) {
  if (x.ended_at == timestamp{} || x.started_at == timestamp{} || x.ended_at < x.started_at)
    return {};
  return in_milliseconds(x.ended_at - x.started_at);
}

std::vector<played_call> calls_of(const turn_result& turn, std::span<const trace_entry> trace) {
  std::vector<played_call> calls;
  for (const auto& entry : trace) {
    if (entry.turn_id != turn.turn_id || entry.component != "executor")
      continue;
    auto id = text_member(entry.detail, "call_id");
    if (entry.operation == "call_tool")
      note_request(call_named(calls, id), entry);
    else if (entry.operation == "tool_response")
      note_response(call_named(calls, id), entry);
  }
  order_as_planned(calls, turn);
  return calls;
}

} // namespace scratchpage
