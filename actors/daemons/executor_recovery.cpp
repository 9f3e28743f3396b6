#include <algorithm>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/error.hpp"

/// How the EXECUTOR makes a call again that has failed, as a plan says.

namespace scratchpage {

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

void executor_state::recover(const page_event& event, const token& done) {
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
  hold_turn_and(by, done, [this, x, call_id, by](const token& work) {
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

/// The call has failed with that tool, and is not to be made again already.
caf::error executor_state::check_call(const execution& x, const observation& plan) {
  const auto* call = x.plan.find(text_member(plan.metadata, "call_id"));
  if (call == nullptr || !x.plan.has_failed(call->call_id)
      || call->tool_id != text_member(plan.metadata, "tool_id"))
    return not_failed();
  auto how = x.attempts.find(call->call_id);
  return how != x.attempts.end() && how->second.waits ? not_failed() : caf::error{};
}

/// Another tool must be an alternative in the manifest of the one that failed, and takes its place
/// once. A tool that was given the call gets it again only if that does nothing twice: whoever
/// agreed to the call agreed to it once.
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

/// The alert has the number of the attempt by the Executor's own count. A plan about anything
/// else may rest on another number, and each alert brings a call back once.
caf::error executor_state::check_alert(const execution& x, const observation& plan) {
  auto how = x.attempts.find(text_member(plan.metadata, "call_id"));
  auto is_latest = how != x.attempts.end() && !how->second.alert_id.empty()
                   && how->second.alert_id == text_member(plan.metadata, "error_alert_id");
  return is_latest ? caf::error{}
                   : fail(errc::forbidden, "metadata.error_alert_id",
                     "expected the Executor's alert about the latest failure of the call");
}

/// Of a call that the plan has, so that there are as many attempts as calls.
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
  const execution_ptr& x, const std::string& call_id, const caller& by, const token& work) {
  x->attempts[call_id].waits = false;
  if (!x->plan.restart(call_id)) {
    trace_.write("restart_call", by, {{"call_id", call_id}}, name_of(errc::invalid_transition));
    return;
  }
  x->by.cause = trace_.write("restart_call", by, {{"call_id", call_id}});
  go_on(x, work);
}

} // namespace scratchpage
