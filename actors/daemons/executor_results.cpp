#include <algorithm>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/utf8.hpp"

/// What the Executor puts on the page about a call that has ended.

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
  const caller& by, const tool_response& response, double duration_ms, const token& work) {
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
  draft.ttl_minutes = with_.config.result_ttl_minutes;
  publish(by, std::move(draft), work);
}

/// What the tool noticed, in its order, with the tool as the source. One that
/// breaks a rule is traced and refused by itself (contract 4).
void executor_state::store_reports(const execution_ptr& x, const planned_call& call, caller by,
  const tool_response& response, const token& work) {
  by.outside = true; // it is the tool that speaks, and not the Executor about it
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
  const tool_response& response, double duration_ms, const token& work) {
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

} // namespace scratchpage
