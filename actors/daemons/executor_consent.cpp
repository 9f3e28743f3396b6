#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/daemons/turn_input.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/codec.hpp"

/// The EXECUTOR's part that asks the user about a call, and makes it in the turn
/// that agrees.

namespace scratchpage {

namespace {

constexpr uint32_t most = 1000; // questions and inputs that are looked at

query_observations all_of(const caller& by, std::string type) {
  query_observations request{.by = by,
    .text = {},
    .filter = {},
    .limit = most,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  request.filter.type = {std::move(type)};
  return request;
}

std::string thread_of(const observation& x) {
  return text_member(x.context, "thread_id");
}

} // namespace

/// Its own questions by its name, so that no others push them out of the answer.
void executor_state::read_questions(const execution_ptr& x, const token& done) {
  auto own = all_of(x->by, "pending_confirmation");
  own.filter.source = {name};
  consult<query_result>(page(), std::move(own), done, [this, x, done](query_result& found) {
    x->asked = std::move(found.observations);
    std::erase_if(x->asked, [](const auto& one) { return !read_consent_question(*one); });
    if (x->asked.empty())
      read_page(x, done);
    else
      read_other_questions(x, done);
  });
}

/// Everybody's, and the resolved ones: somebody else may have been faster to hear the answer.
/// The newest come first. If some are missing, none is known, and words answer nothing.
void executor_state::read_other_questions(const execution_ptr& x, const token& done) {
  auto all = all_of(x->by, "pending_confirmation");
  all.filter.status = {status::active, status::pending_review, status::resolved};
  consult<query_result>(page(), std::move(all), done, [this, x, done](query_result& found) {
    if (!found.partial)
      x->questions = std::move(found.observations);
    read_inputs(x, done);
  });
}

void executor_state::read_inputs(const execution_ptr& x, const token& done) {
  auto inputs = all_of(x->by, "user_input");
  if (auto thread = thread_of(*x->input); !thread.empty())
    inputs.filter.context["thread_id"] = json::value(thread);
  consult<query_result>(
    page(), std::move(inputs), done, [this, x, done](const query_result& found) {
      auto said = consent_.answers(*x->input, x->asked, found.observations, x->questions);
      x->questions.clear();
      take_answers(x, said, 0, done);
    });
}

/// One after another. A question is taken off the page before its call is made:
/// whoever else works on an answer to it comes too late.
void executor_state::take_answers(
  const execution_ptr& x, const std::vector<consent>& said, size_t at, const token& done) {
  while (at < said.size() && said[at] == consent::open)
    ++at;
  if (at == said.size())
    return go_on_without_answered(x, said, done);
  if (said[at] == consent::in_doubt)
    return ask_again(
      x, *x->asked[at], done, [this, x, said, at, done] { take_answers(x, said, at + 1, done); });
  const json::object answer{{"answer", x->input->content}, {"answered_by", x->input->source.name},
    {"answer_id", x->input->observation_id}, {"outcome", name_of(said[at])}};
  auto by = speaker_of(*x->input, x->by);
  settle_question(by, *x->asked[at], answer, done, [this, x, said, at, done](bool taken) {
    if (taken)
      take_answer(x, *x->asked[at], said[at], done);
    take_answers(x, said, at + 1, done);
  });
}

/// What is open now are the questions that were not answered, and those put once more.
void executor_state::go_on_without_answered(
  const execution_ptr& x, const std::vector<consent>& said, const token& done) {
  size_t i = 0;
  std::erase_if(x->asked, [&](const auto&) { return said[i++] != consent::open; });
  std::move(x->again.begin(), x->again.end(), std::back_inserter(x->asked));
  x->again.clear();
  read_page(x, done);
}

/// Words answer what was asked lately. An answer in doubt must not use up that time without a
/// word: the question is put once more in this turn, about the same alert.
void executor_state::ask_again(const execution_ptr& x, const observation& asked, const token& done,
  const std::function<void()>& then) {
  auto draft = asked_again(asked, consent_.ttl_minutes());
  resolve_question(x->by, asked, {{"outcome", "asked_again"}}, done,
    [this, x, draft = std::move(draft), done, then](bool taken) {
      if (!taken)
        return then(); // somebody else has answered it
      publish(x->by, draft, done, [x, then](const receipt& stored) {
        if (stored.observation)
          x->again.push_back(stored.observation);
        then();
      });
    });
}

void executor_state::take_answer(
  const execution_ptr& x, const observation& asked, consent said, const token& done) {
  auto question = read_consent_question(asked);
  if (said == consent::granted) {
    x->granted.push_back({question->call, asked.observation_id});
    return;
  }
  observation_draft dropped;
  dropped.type = "constraint_check";
  dropped.content = question->call.tool_id + " is not used: the user declined";
  dropped.confidence = 0.99;
  dropped.tags = {"security", "constraint"};
  dropped.context = x->context;
  dropped.metadata["tool_id"] = question->call.tool_id;
  dropped.metadata["verdict"] = name_of(said);
  dropped.metadata["confirmation_id"] = asked.observation_id;
  publish(x->by, std::move(dropped), done);
}

/// Resolves a question that nobody has changed since it was read, and the alert
/// that it came with.
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
  change(std::move(settled), done, then);
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

/// An older question about the same call is not needed any more.
void executor_state::ask_user(const execution_ptr& x, const planned_call& call,
  const std::string& alert_id, const std::string& reason, const token& work) {
  consent_question question{call, x->input->source.name, alert_id};
  for (const auto& asked : x->asked) {
    auto older = read_consent_question(*asked);
    if (is_same_call(older->call, call) && older->user == question.user
        && thread_of(*asked) == thread_of(*x->input))
      settle_question(x->by, *asked, {{"outcome", "asked_again"}}, work);
  }
  auto secret = protected_data_.assess(call, manifest_of(*x, call.tool_id)).tags;
  auto draft = draft_of(question, reason, secret, consent_.ttl_minutes());
  draft.context = x->context;
  publish(x->by, std::move(draft), work);
}

} // namespace scratchpage
