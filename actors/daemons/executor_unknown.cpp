#include <algorithm>
#include <set>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/text/utf8.hpp"

/// What the EXECUTOR does about calls of tools that nobody knows.

namespace scratchpage {

namespace {

constexpr size_t most_named = 16;        // tools in a text
constexpr size_t most_name_bytes = 64;   // of each of them
constexpr size_t most_id_bytes = 32'768; // of the calls that an alert names

/// The tools, each once: "a, b, and 7 more".
std::string tools_of(const std::vector<const planned_call*>& calls) {
  std::set<std::string_view> seen;
  std::string result;
  for (const auto* call : calls)
    if (seen.insert(call->tool_id).second && seen.size() <= most_named)
      result.append(result.empty() ? "" : ", ").append(printable(call->tool_id, most_name_bytes));
  if (seen.size() > most_named)
    result.append(", and ").append(std::to_string(seen.size() - most_named)).append(" more");
  return result;
}

std::string known_tools(const std::map<std::string, manifest_ptr>& manifests) {
  std::string result;
  for (const auto& [id, manifest] : manifests)
    result.append(result.empty() ? "" : ", ").append(id);
  return result.empty() ? "none" : result;
}

/// The calls, as far as there is room; those beyond it count as skipped.
json::array ids_of(const std::vector<const planned_call*>& calls) {
  json::array result;
  size_t bytes = 0;
  for (const auto* call : calls)
    if ((bytes += call->call_id.size()) <= most_id_bytes)
      result.emplace_back(call->call_id);
  return result;
}

} // namespace

/// Nobody can say what it would do, also if it is there by the time it is called.
void executor_state::refuse_unknown(
  const execution_ptr& x, const planned_call& call, const token& work) {
  std::vector<std::string> known;
  for (const auto& [id, manifest] : x->manifests)
    known.push_back(id);
  tool_request request;
  request.tool_id = call.tool_id;
  auto by = x->by;
  by.cause = trace_.write("call_tool", by,
    {{"call_id", call.call_id}, {"tool_id", call.tool_id},
      {"attempt", x->attempts[call.call_id].number}});
  on_response(x, call, std::move(by), unknown_tool(request, std::move(known)),
    setup().agent.clock->steady(), work);
}

/// Several of a plan are refused at once and with one alert, for alerts stay: a plan must not
/// fill the page with them.
void executor_state::refuse_unknown_calls(const execution_ptr& x, const token& work) {
  auto calls = x->plan.calls();
  auto unknown = std::count_if(calls.begin(), calls.end(),
    [&](const planned_call* call) { return manifest_of(*x, call->tool_id) == nullptr; });
  if (unknown < 2)
    return;
  auto ended = end_unknown(*x);
  if (ended.empty())
    return; // all of them depended on a call that was left out
  if (ended.size() == 1)
    return refuse_unknown(x, *ended.front(), work); // the others depended on it
  for (const auto* call : ended)
    trace_unknown(x, *call);
  raise_unknown(x, ended, work);
}

/// Those that failed by it; what depends on another that did is skipped.
executor_state::call_list executor_state::end_unknown(execution& x) {
  call_list result;
  for (const auto* call : x.plan.calls())
    if (!x.manifests.contains(call->tool_id) && x.plan.ended(call->call_id, call_outcome::failed))
      result.push_back(call);
  return result;
}

void executor_state::trace_unknown(const execution_ptr& x, const planned_call& call) {
  auto by = x->by;
  auto detail = about(call);
  detail["attempt"] = x->attempts[call.call_id].number;
  by.cause = trace_.write("call_tool", by, detail);
  detail["error"] = "tool " + printable(call.tool_id) + " not found";
  trace_.write("tool_response", by, std::move(detail), name_of(tool_status::error));
}

void executor_state::raise_unknown(
  const execution_ptr& x, const call_list& calls, const token& work) {
  auto tools = tools_of(calls);
  auto text =
    utf8::shortened("tools " + tools + " not found; known are " + known_tools(x->manifests),
      with_.config.result_bytes);
  observation_draft draft;
  draft.type = "error_alert";
  draft.content = utf8::shortened(
    std::to_string(calls.size()) + " calls failed: " + text, with_.config.result_bytes);
  draft.confidence = 0.99;
  draft.tags = {"error"};
  draft.context = x->context;
  draft.metadata["call_ids"] = ids_of(calls);
  draft.metadata["tool_id"] = tools;
  draft.metadata["status"] = name_of(tool_status::error);
  draft.metadata["error"] = text;
  draft.metadata["attempt"] = 1;
  draft.ttl_minutes = with_.config.error_ttl_minutes;
  publish(x->by, std::move(draft), work);
}

} // namespace scratchpage
