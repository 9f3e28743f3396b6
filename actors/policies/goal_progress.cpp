#include "scratchpage/actors/policies/goal_progress.hpp"

#include <algorithm>
#include <utility>

#include <caf/expected.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/worth_reading.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

bool raise(goal& x, double progress) {
  progress = std::clamp(progress, 0.0, 1.0);
  if (progress <= x.progress)
    return false;
  x.progress = progress;
  return true;
}

bool is_open(const pending_action& x) {
  return x.status == action_status::pending || x.status == action_status::in_progress;
}

/// Whether a person still has to decide on the action.
bool awaits_person(const pending_action& x) {
  return is_persons(x) && is_open(x);
}

/// Whether the source is a tool from outside. Observations of a tool that the ensemble runs have a
/// turn; the page accepts no turn from tools outside.
bool is_tool_outside(const source& x) {
  return x.kind == source_kind::tool && x.turn_id.empty();
}

/// Whether an answer to a question of this source can complete an action on which a person decides.
/// Not so for agents from outside: the person who answers does not see which action they name.
bool may_ask_about_persons_action(const source& x) {
  return x.kind == source_kind::tool ? !is_tool_outside(x) : is_of_ensemble(x);
}

/// Whether a person who resolves the observation completes the action that it names: so for
/// observations of persons and of the ensemble.
bool may_be_resolved_for_persons_action(const observation& x) {
  return is_from_person(x) || is_of_ensemble(x.source);
}

bool is_of_cortex(const source& x) {
  return x.kind == source_kind::daemon && x.name == "frontal_cortex";
}

const source& resolver(const observation& x) {
  return x.resolved_by ? *x.resolved_by : x.source;
}

/// Whether a daemon took an input as the answer to this question.
bool is_answered(const observation& x) {
  return x.metadata.contains("answer_id");
}

bool is_declined(const observation& x) {
  return text_at(x.metadata, "outcome") == name_of(consent::declined);
}

/// Whether a tool from outside has resolved the observation, or has added it and the ensemble or an
/// answer has resolved it.
bool is_word_of_tool_outside(const observation& x) {
  const auto& by = resolver(x);
  return is_tool_outside(by)
         || (is_tool_outside(x.source) && (is_of_ensemble(by) || is_answered(x)));
}

/// Whether another observation of the goal has said the same in the same words.
bool repeats_evidence(const goal& of, const observation& x) {
  auto said = utf8::shortened(x.content, goal_limits::evidence_bytes);
  auto words = words_of(said);
  return std::any_of(of.evidence.begin(), of.evidence.end(), [&](const goal_evidence& one) {
    return one.observation_id != x.observation_id && words_of(one.content) == words;
  });
}

bool is_failure(const observation& x) {
  return x.type == "error_alert" || tells_of_failure(x.content);
}

/// The action, if `who` may decide on it.
caf::expected<pending_action*> action_of(goal& x, std::string_view action_id, assignee who) {
  auto i = std::find_if(x.pending_actions.begin(), x.pending_actions.end(),
    [&](const pending_action& one) { return one.action_id == action_id; });
  if (i == x.pending_actions.end())
    return fail(errc::not_found, "action_id", "expected an action of " + x.goal_id);
  if (is_persons(*i) && who == assignee::agent)
    return fail(errc::forbidden, "action_id",
      "expected a person to decide on an action that is the user's or needs confirmation");
  return &*i;
}

} // namespace

bool is_over(const goal& x) {
  return x.status == goal_status::completed || x.status == goal_status::abandoned;
}

bool is_persons(const pending_action& x) {
  return x.assigned_to == assignee::user || x.requires_confirmation;
}

caf::error validate(const goal_progress_config& x, std::string_view path) {
  return config_check{path}
    .range("observation_step", x.observation_step, 0, 1)
    .range("open_limit", x.open_limit, 0, 1)
    .error();
}

assignee resolver_of(const observation& x) {
  const auto& who = resolver(x);
  auto is_person = who.kind == source_kind::user && who.relayed_by.empty();
  return is_person ? assignee::user : assignee::agent;
}

bool is_resolution(const observation& x) {
  return !x.resolved_by || to_milliseconds(x.resolved_by->at) == to_milliseconds(x.updated_at);
}

void await_confirmation(goal& x, std::string reason) {
  x.status = goal_status::blocked;
  auto& all = x.pending_actions;
  auto asked = std::find_if(all.begin(), all.end(), [](const pending_action& one) {
    return one.action_type == confirm_goal && awaits_person(one);
  });
  if (asked != all.end()) {
    if (asked->description.find(reason) != std::string::npos)
      return;
    reason = asked->description + "; " + reason;
  }
  std::erase_if(all,
    [](const pending_action& one) { return one.action_type == confirm_goal && is_persons(one); });
  all.insert(all.begin(), {"", std::string{confirm_goal}, std::move(reason), assignee::user,
                            x.priority, action_status::pending, true});
}

bool waits_for_confirmation(const goal& x) {
  const auto& all = x.pending_actions;
  return std::any_of(all.begin(), all.end(), [](const pending_action& one) {
    return one.action_type == confirm_goal && awaits_person(one);
  });
}

bool asks_person(const goal& x) {
  const auto& all = x.pending_actions;
  return std::any_of(all.begin(), all.end(), awaits_person);
}

bool waits_for_person(const goal& x) {
  auto stands = x.status == goal_status::blocked || x.status == goal_status::abandoned;
  return waits_for_confirmation(x) || (stands && asks_person(x));
}

bool agent_may_set(const goal& x, goal_status status) {
  return status == x.status || status == goal_status::abandoned || status == goal_status::blocked
         || !waits_for_person(x);
}

bool goal_progress::linked(goal& x, const observation& by, bool is_from_outside) const {
  if (is_over(x) || is_tool_outside(by.source) || (is_from_outside && waits_for_person(x)))
    return false;
  if (repeats_evidence(x, by) || is_failure(by))
    return false;
  auto started = x.status == goal_status::pending && !waits_for_person(x);
  if (started)
    x.status = goal_status::in_progress;
  auto left = std::max(0.0, config_.open_limit - x.progress);
  auto gain = left * config_.observation_step * std::clamp(by.confidence, 0.0, 1.0);
  return raise(x, x.progress + gain) || started;
}

bool goal_progress::resolved(goal& x, const observation& by, assignee who) const {
  auto action_id = text_at(by.context, "pending_action_id");
  auto i = std::find_if(x.pending_actions.begin(), x.pending_actions.end(),
    [&](const pending_action& one) { return one.action_id == action_id; });
  if (action_id.empty() || i == x.pending_actions.end() || !is_open(*i))
    return false;
  return !is_over(x) && counts(*i, by) && !complete(x, action_id, who);
}

bool goal_progress::counts(const pending_action& action, const observation& by) const {
  if (action.action_type == confirm_goal)
    return is_of_cortex(by.source) && is_answered(by)
           && answers_.reading_of(text_at(by.metadata, "answer")) == consent::granted;
  return is_persons(action) ? lets_persons_action_end(by) : !is_word_of_tool_outside(by);
}

bool goal_progress::lets_persons_action_end(const observation& x) const {
  if (is_declined(x))
    return false;
  if (!is_answered(x))
    return may_be_resolved_for_persons_action(x);
  return may_ask_about_persons_action(x.source)
         && answers_.goes_along(text_at(x.metadata, "answer"));
}

bool goal_progress::warned(goal& x, const observation& of) const {
  constexpr size_t compared_bytes = 120; // descriptions may be shortened
  auto said = utf8::prefix(of.content, compared_bytes);
  std::vector<std::string> done;
  for (const auto& one : x.pending_actions)
    if (one.action_type == warn_user && is_open(one) && !is_persons(one)
        && one.description.find(said) != std::string::npos)
      done.push_back(one.action_id);
  std::erase_if(
    done, [&](const std::string& id) { return bool{complete(x, id, assignee::agent)}; });
  return !done.empty();
}

caf::error goal_progress::complete(goal& x, std::string_view action_id, assignee who) const {
  auto found = action_of(x, action_id, who);
  if (!found)
    return found.error();
  auto& action = **found;
  if (action.status == action_status::cancelled)
    return fail(errc::invalid_transition, "action_id", "expected an action that is open");
  action.status = action_status::done;
  if (action.action_type == confirm_goal && x.status == goal_status::blocked)
    x.status = goal_status::in_progress;
  settle(x);
  return {};
}

caf::error goal_progress::cancel(goal& x, std::string_view action_id, assignee who) const {
  auto found = action_of(x, action_id, who);
  if (!found)
    return found.error();
  auto& action = **found;
  if (action.status == action_status::done)
    return fail(errc::invalid_transition, "action_id", "expected an action that is open");
  action.status = action_status::cancelled;
  settle(x);
  auto is_unwanted = action.action_type == confirm_goal;
  auto is_all_refused = std::all_of(x.pending_actions.begin(), x.pending_actions.end(),
    [](const pending_action& one) { return one.status == action_status::cancelled; });
  if ((is_unwanted || is_all_refused) && !is_over(x))
    x.status = goal_status::abandoned;
  return {};
}

bool goal_progress::settle(goal& x) const {
  if (is_over(x))
    return false;
  size_t done = 0;
  size_t open = 0;
  for (const auto& one : x.pending_actions) {
    done += one.status == action_status::done;
    open += is_open(one);
  }
  if (done == 0)
    return false;
  auto changed = raise(x, static_cast<double>(done) / static_cast<double>(done + open));
  auto starts = x.status == goal_status::pending && !waits_for_person(x);
  auto status = open == 0 ? goal_status::completed : starts ? goal_status::in_progress : x.status;
  changed = changed || status != x.status;
  x.status = status;
  return changed;
}

// -- whom a goal counts for ---------------------------------------------------------------

std::string counts_for(const caller& x) {
  if (!x.outside || is_person(x))
    return {};
  if (x.claimed)
    return principal_of(x);
  return x.relayed_by.empty() ? said_by(x) : "daemon " + x.relayed_by.text();
}

std::string counts_for(const goal& x) {
  return text_at(x.context, "counts_for");
}

void count_for(goal& x, const std::string& program) {
  if (program.empty())
    x.context.erase("counts_for");
  else
    x.context["counts_for"] = program;
}

} // namespace scratchpage
