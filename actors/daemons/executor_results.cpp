#include <algorithm>
#include <set>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

/// The EXECUTOR's part that adds observations about calls that have ended, and makes failed calls
/// again.

namespace scratchpage {

/// Why the call failed, for people.
std::string executor_state::error_text(const tool_response& response) {
  if (auto text = text_member(response.outputs, "error"); !text.empty())
    return text;
  return response.status == tool_status::timeout ? "timeout" : to_text(response.outputs);
}

json::object executor_state::about(const planned_call& call) {
  return {{"call_id", call.call_id}, {"tool_id", call.tool_id}};
}

void executor_state::store_result(const execution_ptr& x, const planned_call& call,
  const caller& by, const tool_response& response, double duration_ms, const ack_guard& work) {
  observation_draft draft;
  draft.type = "tool_result";
  draft.content = utf8::shortened(
    call.tool_id + ": " + (response.outputs.empty() ? "done" : to_text(response.outputs)),
    with_.config.result_bytes);
  draft.confidence = response.status == tool_status::partial ? 0.5 : 0.9;
  draft.tags = {std::string{utf8::prefix(call.tool_id, 64)}};
  draft.context = x->context;
  draft.metadata = about(call);
  draft.metadata["status"] = name_of(response.status);
  draft.metadata["duration_ms"] = duration_ms;
  draft.metadata["attempt"] = x->attempts[call.call_id].number;
  if (to_text(response.outputs).size() <= with_.config.result_bytes)
    draft.metadata["outputs"] = response.outputs;
  draft.ttl_minutes = with_.config.result_ttl_minutes;
  publish(by, std::move(draft), work);
}

/// Stores the tool's observations in their order, with the tool as the source. One that breaks a
/// rule is traced and left out, without an effect on the others (contract 4).
void executor_state::store_reports(const execution_ptr& x, const planned_call& call, caller by,
  const tool_response& response, const ack_guard& work) {
  by.outside = true; // the tool's own words, and not the Executor's about the tool
  const auto* manifest = manifest_of(*x, call.tool_id);
  for (const auto* reports : {&response.observations, &response.scratch_page_writes}) {
    for (const auto& report : *reports) {
      auto draft = from_json<observation_draft>(report);
      if (draft && manifest != nullptr && !manifest->observation_types.empty()
          && std::find(
               manifest->observation_types.begin(), manifest->observation_types.end(), draft->type)
               == manifest->observation_types.end())
        draft = fail(errc::forbidden, "type",
          "the manifest of " + call.tool_id + " does not list '" + draft->type + "'");
      if (!draft) {
        trace_.write_error("store_report", by, draft.error(), about(call));
        continue;
      }
      if (!execution_.captures(draft->confidence)) {
        trace_.write("ignore_report", by, about(call));
        continue;
      }
      publish(by, std::move(*draft), work);
    }
  }
}

void executor_state::raise_error(const execution_ptr& x, const planned_call& call, const caller& by,
  const tool_response& response, double duration_ms, const ack_guard& work) {
  auto text = error_text(response);
  observation_draft draft;
  draft.type = "error_alert";
  draft.content =
    utf8::shortened("Tool '" + call.tool_id + "' failed: " + text, with_.config.result_bytes);
  draft.confidence = 0.99;
  draft.tags = {"error", std::string{utf8::prefix(call.tool_id, 64)}};
  if (response.status == tool_status::timeout)
    draft.tags.emplace_back("timeout");
  draft.context = x->context;
  draft.context["call_id"] = call.call_id;
  draft.metadata = about(call);
  draft.metadata["status"] = name_of(response.status);
  draft.metadata["error"] = utf8::shortened(text, with_.config.result_bytes);
  if (to_text(response.outputs).size() <= with_.config.result_bytes)
    draft.metadata["outputs"] = response.outputs;
  draft.metadata["timeout_ms"] = x->attempts[call.call_id].timeout_ms;
  draft.metadata["duration_ms"] = duration_ms;
  draft.metadata["attempt"] = x->attempts[call.call_id].number;
  draft.ttl_minutes = with_.config.error_ttl_minutes;
  publish(by, std::move(draft), work, [x, id = call.call_id](const receipt& stored) {
    if (stored.observation)
      x->attempts[id].alert_id = stored.observation->observation_id;
  });
}

// -- calls of unknown tools -----------------------------------------------------------------

namespace {

constexpr size_t max_named = 16;        // tools in a text
constexpr size_t max_name_bytes = 64;   // of each of them
constexpr size_t max_id_bytes = 32'768; // of the ids of all calls that an alert names

/// The tools, each once: "a, b, and 7 more".
std::string tools_of(const std::vector<const planned_call*>& calls) {
  std::set<std::string_view> seen;
  std::string result;
  for (const auto* call : calls)
    if (seen.insert(call->tool_id).second && seen.size() <= max_named)
      result.append(result.empty() ? "" : ", ").append(printable(call->tool_id, max_name_bytes));
  if (seen.size() > max_named)
    result.append(", and ").append(std::to_string(seen.size() - max_named)).append(" more");
  return result;
}

std::string known_tools(const std::map<std::string, manifest_ptr>& manifests) {
  std::string result;
  for (const auto& [id, manifest] : manifests)
    result.append(result.empty() ? "" : ", ").append(id);
  return result.empty() ? "none" : result;
}

/// The ids of the calls, up to `max_id_bytes` in all. Calls that are left out count as skipped.
json::array ids_of(const std::vector<const planned_call*>& calls) {
  json::array result;
  size_t bytes = 0;
  for (const auto* call : calls)
    if ((bytes += call->call_id.size()) <= max_id_bytes)
      result.emplace_back(call->call_id);
  return result;
}

} // namespace

/// Ends a call of an unknown tool as failed. Even if the tool exists by now, nobody knows what it
/// does, so it is not called.
void executor_state::refuse_unknown(
  const execution_ptr& x, const planned_call& call, const ack_guard& work) {
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

/// If a plan has several such calls, they are refused together, with one alert. Alerts are not
/// evicted, and a plan must not fill the page with them.
void executor_state::refuse_unknown_calls(const execution_ptr& x, const ack_guard& work) {
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

/// Ends all calls of unknown tools. Returns those that failed; the others depended on one of these,
/// and were skipped.
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
  const execution_ptr& x, const call_list& calls, const ack_guard& work) {
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

// -- recovery -------------------------------------------------------------------------------

namespace {

double number_member(const json::object& x, std::string_view key) {
  const auto* value = x.if_contains(json::string_view{key.data(), key.size()});
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

bool is_alternative(const observation& plan) {
  return text_member(plan.metadata, "action") == "alternative";
}

caf::error not_failed() {
  return fail(errc::not_found, "metadata.call_id", "expected a call of the turn that has failed");
}

} // namespace

void executor_state::recover(const page_event& event, const ack_guard& done) {
  const auto& plan = *event.observation;
  auto action = text_member(plan.metadata, "action");
  auto call_id = text_member(plan.metadata, "call_id");
  if (action != "retry" && action != "alternative")
    return; // nothing is called again
  auto by = as_me(event);
  auto x = execution_of(event.turn_id);
  auto refusal = x ? check_recovery(*x, plan) : not_failed();
  by.cause = trace_.write("recover", by, {{"call_id", call_id}, {"action", action}},
    refusal ? name_of(code_of(refusal)) : "success");
  if (refusal)
    return;
  set_attempt(*x, plan, with_.config.max_backoff_ms);
  hold_turn_and(by, done, [this, x, call_id, by](const ack_guard& work) {
    self_->run_delayed(x->attempts[call_id].backoff,
      [this, x, call_id, by, work] { restart(x, call_id, by, work); });
  });
}

executor_state::execution_ptr executor_state::execution_of(const std::string& turn_id) const {
  auto found = executions_.find(turn_id);
  return found == executions_.end() ? execution_ptr{} : found->second;
}

caf::error executor_state::check_recovery(const execution& x, const observation& plan) const {
  if (auto err = check_call(x, plan))
    return err;
  if (auto err = check_tool(x, plan))
    return err;
  return check_alert(x, plan);
}

/// Whether the plan is about a call that has failed with that tool and is not waiting for a retry.
caf::error executor_state::check_call(const execution& x, const observation& plan) {
  const auto* call = x.plan.find(text_member(plan.metadata, "call_id"));
  if (call == nullptr || !x.plan.has_failed(call->call_id)
      || call->tool_id != text_member(plan.metadata, "tool_id"))
    return not_failed();
  auto how = x.attempts.find(call->call_id);
  return how != x.attempts.end() && how->second.waits ? not_failed() : caf::error{};
}

/// Whether the plan's tool may make the call. Another tool has to be an alternative in the manifest
/// of the one that failed, and gets the call once. A tool that has got the call gets it again only
/// if it is idempotent, because the user agreed to the call once.
caf::error executor_state::check_tool(const execution& x, const observation& plan) const {
  const auto& call = *x.plan.find(text_member(plan.metadata, "call_id"));
  const auto* manifest = manifest_of(x, call.tool_id);
  auto how = x.attempts.find(call.call_id);
  auto was_called = [&](const std::string& tool) {
    return how != x.attempts.end() && how->second.called.contains(tool);
  };
  if (is_alternative(plan)) {
    auto next = text_member(plan.metadata, "alternative");
    auto is_one = manifest != nullptr && contains(manifest->alternatives, next);
    return is_one && !was_called(next)
             ? caf::error{}
             : fail(errc::forbidden, "metadata.alternative",
               "expected an alternative of " + call.tool_id + " that was not called yet");
  }
  if (was_called(call.tool_id) && (manifest == nullptr || !manifest->idempotent))
    return fail(errc::forbidden, "metadata.action", "expected a tool that may be called again");
  return {};
}

/// Whether the plan is about the Executor's latest alert for the call. That alert has the right
/// number of the attempt, and each alert can restart a call only once.
caf::error executor_state::check_alert(const execution& x, const observation& plan) {
  auto how = x.attempts.find(text_member(plan.metadata, "call_id"));
  auto is_latest = how != x.attempts.end() && !how->second.alert_id.empty()
                   && how->second.alert_id == text_member(plan.metadata, "error_alert_id");
  return is_latest ? caf::error{}
                   : fail(errc::forbidden, "metadata.error_alert_id",
                     "expected the Executor's alert about the latest failure of the call");
}

/// Prepares the next attempt. The call is in the turn's plan (`check_call`), so there are never
/// more entries than calls.
void executor_state::set_attempt(execution& x, const observation& plan, double max_backoff_ms) {
  auto call_id = text_member(plan.metadata, "call_id");
  auto& how = x.attempts[call_id];
  how.waits = true;
  how.alert_id.clear();
  ++how.number;
  how.timeout_ms = number_member(plan.metadata, "timeout_ms");
  how.backoff =
    from_milliseconds(std::min(number_member(plan.metadata, "backoff_ms"), max_backoff_ms));
  if (!is_alternative(plan))
    return;
  how.number = 1; // of that tool
  how.timeout_ms = 0;
  x.plan.replace_tool(call_id, text_member(plan.metadata, "alternative"));
}

void executor_state::restart(
  const execution_ptr& x, const std::string& call_id, const caller& by, const ack_guard& work) {
  x->attempts[call_id].waits = false;
  if (!x->plan.restart(call_id)) {
    trace_.write("restart_call", by, {{"call_id", call_id}}, name_of(errc::invalid_transition));
    return;
  }
  x->by.cause = trace_.write("restart_call", by, {{"call_id", call_id}});
  go_on(x, work);
}

} // namespace scratchpage
