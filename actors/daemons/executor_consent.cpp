#include <algorithm>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"

/// The EXECUTOR's part that asks the user about a call, and makes it in the turn
/// that agrees.

namespace scratchpage {

namespace {

std::string thread_of(const observation& x) {
  return text_member(x.context, "thread_id");
}

/// Whether it was `by` in that turn who resolved the observation.
bool is_resolved_by(const receipt& x, const caller& by) {
  if (!x.observation || !x.observation->resolved_by)
    return false;
  const auto& who = *x.observation->resolved_by;
  return who.kind == by.kind && who.name == by.name && who.turn_id == by.turn_id
         && who.relayed_by == by.relayed_by;
}

} // namespace

/// Resolves a question, and the alert that it came with, unless somebody else was faster.
void executor_state::settle_question(const caller& by, const observation& asked,
  const json::object& answer, const token& done, const std::function<void(bool)>& then) {
  auto alert_id = text_member(asked.metadata, "alert_id");
  resolve_question(by, asked, answer, done, [this, by, alert_id, done, then](bool taken) {
    if (taken)
      resolve_alert(by, alert_id, done);
    if (then)
      then(taken);
  });
}

void executor_state::resolve_question(const caller& by, const observation& asked,
  const json::object& answer, const token& done, const std::function<void(bool)>& then) {
  auto tool_id = text_member(asked.metadata, "tool_id");
  auto outcome = text_member(answer, "outcome");
  update_observation settled{.by = by,
    .observation_id = asked.observation_id,
    .changes = {},
    .expected_revision = asked.revision,
    .on_conflict = on_conflict::reject};
  settled.changes.status = status::resolved;
  settled.changes.metadata = asked.metadata;
  for (const auto& [key, value] : answer)
    (*settled.changes.metadata)[key] = value;
  settled.by.cause = trace_.write("settle_question", by,
    {{"observation_id", asked.observation_id}, {"tool_id", tool_id}, {"outcome", outcome}});
  change(settled, done, [this, settled, done, then](bool taken) {
    if (taken)
      then(true);
    else
      claim_question(settled, done, then);
  });
}

/// Anybody may shorten the lifetime of a question, again and again, and must not keep an answer
/// out by it. So the revision does not count any more: whoever is the first to resolve the question
/// has it, as the page tells, and then says how it ended.
void executor_state::claim_question(
  const update_observation& settled, const token& done, const std::function<void(bool)>& then) {
  get_observation current{settled.by, settled.observation_id};
  consult<observation_ptr>(
    page(), std::move(current), done, [this, settled, done, then](const observation_ptr& found) {
      if (!found || !is_live(found->status))
        return then(false);
      update_observation claim{.by = settled.by,
        .observation_id = settled.observation_id,
        .changes = {},
        .expected_revision = {}};
      claim.changes.status = status::resolved;
      consult<receipt>(page(), claim, done, [this, settled, done, then](const receipt& resolved) {
        if (!is_resolved_by(resolved, settled.by))
          return then(false);
        update_observation outcome{.by = settled.by,
          .observation_id = settled.observation_id,
          .changes = {},
          .expected_revision = {}};
        outcome.changes.metadata = settled.changes.metadata;
        change(std::move(outcome), done, [then](bool) { then(true); });
      });
    });
}

void executor_state::resolve_alert(
  const caller& by, const std::string& alert_id, const token& done) {
  if (alert_id.empty())
    return;
  update_observation settled{
    .by = by, .observation_id = alert_id, .changes = {}, .expected_revision = {}};
  settled.changes.status = status::resolved;
  change(std::move(settled), done);
}

/// The calls that were agreed to join the plan; one that was planned again is
/// made once.
void executor_state::resume_calls(const execution_ptr& x) {
  for (const auto& one : x->granted) {
    auto calls = x->plan.calls();
    auto again = std::find_if(calls.begin(), calls.end(), [&](const planned_call* call) {
      return is_same_call(*call, one.call) && !x->confirmed.contains(call->call_id);
    });
    auto id = again != calls.end() ? (*again)->call_id : x->plan.append(one.call);
    if (again == calls.end())
      x->resumed.push_back(*x->plan.find(id));
    x->confirmed.emplace(id, one);
  }
}

/// The confirmation that lets `call` pass, or null: another tool that makes the
/// call instead was not agreed to.
const executor_state::confirmed_call* executor_state::confirmation_of(
  const execution& x, const planned_call& call) const {
  auto found = x.confirmed.find(call.call_id);
  auto is_it = found != x.confirmed.end() && is_same_call(found->second.call, call);
  return is_it ? &found->second : nullptr;
}

/// An older question about the same call is not needed any more, unless the user's own would be
/// replaced by one that somebody asks for in their name.
void executor_state::ask_user(const execution_ptr& x, const planned_call& call,
  const std::string& alert_id, const std::string& reason, const token& work) {
  consent_question question{
    call, x->input->source.name, alert_id, x->input->source.relayed_by.text()};
  for (const auto& asked : x->asked) {
    auto older = read_consent_question(*asked);
    auto may_replace = question.planned_by.empty() || older->planned_by == question.planned_by;
    if (may_replace && is_same_call(older->call, call) && older->user == question.user
        && thread_of(*asked) == thread_of(*x->input))
      settle_question(x->by, *asked, {{"outcome", "asked_again"}}, work);
  }
  auto secret = protected_data_.assess(call, manifest_of(*x, call.tool_id)).tags;
  auto draft = draft_of(question, reason, secret, consent_.ttl_minutes());
  draft.context = x->context;
  publish(x->by, std::move(draft), work);
}

} // namespace scratchpage
