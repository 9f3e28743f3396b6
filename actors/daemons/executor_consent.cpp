#include <chrono>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"

/// The EXECUTOR's part that reads the user's answers to questions for consent, and puts such
/// questions.

namespace scratchpage {

namespace {

constexpr uint32_t max_questions = 1000; // of a query for questions or inputs

query_observations all_of(const caller& by, std::string type) {
  query_observations request{.by = by,
    .text = {},
    .filter = {},
    .limit = max_questions,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  request.filter.type = {std::move(type)};
  return request;
}

/// Restricts the filter to the thread of the input, if it has one.
void keep_to_thread(observation_filter& filter, const observation& input) {
  if (auto thread = text_member(input.context, "thread_id"); !thread.empty())
    filter.context["thread_id"] = json::value(thread);
}

query_observations all_beside(const observation& input, const caller& by, std::string type) {
  auto request = all_of(by, std::move(type));
  keep_to_thread(request.filter, input);
  return request;
}

/// The inputs of the thread under the speaker's name, resolved ones included.
query_observations inputs_beside(const observation& input, const caller& by) {
  auto request = all_beside(input, by, "user_input");
  request.filter.source = {input.source.name};
  request.filter.status = {status::active, status::pending_review, status::resolved};
  return request;
}

/// As `inputs_beside`, for inputs that have left the page.
list_archive inputs_gone_since(const observation& input, const caller& by, timestamp since) {
  list_archive request{.by = by, .filter = {}, .limit = max_questions, .cursor = {}};
  request.filter.type = {"user_input"};
  request.filter.source = {input.source.name};
  request.filter.created_after = since - std::chrono::milliseconds{1};
  keep_to_thread(request.filter, input);
  return request;
}

/// Whether `by` resolved the observation, in that turn.
bool is_resolved_by(const receipt& x, const caller& by) {
  if (!x.observation || !x.observation->resolved_by)
    return false;
  const auto& who = *x.observation->resolved_by;
  return who.kind == by.kind && who.name == by.name && who.turn_id == by.turn_id
         && who.relayed_by == by.relayed_by;
}

} // namespace

// -- answers to questions ---------------------------------------------------------------

/// Reads the Executor's own questions of the thread, so that no others push them out of the result.
/// Words are never about another thread.
void executor_state::read_questions(const execution_ptr& x, const ack_guard& done) {
  x->hearing.begin(*x->input);
  auto own = all_beside(*x->input, x->by, "pending_confirmation");
  own.filter.source = {name};
  query<query_result>(page(), std::move(own), done, [this, x, done](query_result& found) {
    x->hearing.add_questions(found.observations);
    read_named(x, done);
  });
}

void executor_state::read_named(const execution_ptr& x, const ack_guard& done) {
  auto id = x->hearing.next_named();
  if (!id)
    return x->hearing.has_questions() ? read_other_questions(x, done) : hear_answers(x, done);
  get_observation wanted{x->by, std::move(*id)};
  query<observation_ptr>(
    page(), std::move(wanted), done, [this, x, done](const observation_ptr& found) {
      x->hearing.add_questions({found});
      read_named(x, done);
    });
}

/// Reads the questions of all sources, the newest first. Resolved ones are included, since somebody
/// else may already have taken the answer. If the result is partial, no question counts as known,
/// and answers in words are in doubt.
void executor_state::read_other_questions(const execution_ptr& x, const ack_guard& done) {
  auto all = all_of(x->by, "pending_confirmation");
  all.filter.status = {status::active, status::pending_review, status::resolved};
  query<query_result>(page(), std::move(all), done, [this, x, done](query_result& found) {
    if (!found.partial)
      x->hearing.note_questions_of_all(std::move(found.observations));
    read_inputs(x, done);
  });
}

void executor_state::read_inputs(const execution_ptr& x, const ack_guard& done) {
  auto inputs = inputs_beside(*x->input, x->by);
  query<query_result>(page(), std::move(inputs), done, [this, x, done](query_result& found) {
    x->hearing.note_inputs(std::move(found.observations));
    if (auto since = x->hearing.needs_history_since(consent_, *x->input))
      read_questions_gone(x, *since, done);
    else
      hear_answers(x, done);
  });
}

/// Reads the questions that were put since and have left the page: the user may have them in mind.
/// The archive is read after the page, so that no question is missed on its way.
void executor_state::read_questions_gone(
  const execution_ptr& x, timestamp since, const ack_guard& done) {
  read_archive(questions_gone_since(x->by, since), done,
    [this, x, since, done](const std::optional<std::vector<observation_ptr>>& gone) {
      x->hearing.note_questions_gone(gone);
      read_inputs_gone(x, since, done);
    });
}

/// Reads the user's inputs since then that have left the page. Without them, somebody could archive
/// inputs to make the user's words the answer to a question from long before.
void executor_state::read_inputs_gone(
  const execution_ptr& x, timestamp since, const ack_guard& done) {
  read_archive(inputs_gone_since(*x->input, x->by, since), done,
    [this, x, done](const std::optional<std::vector<observation_ptr>>& gone) {
      x->hearing.note_inputs_gone(gone);
      hear_answers(x, done);
    });
}

void executor_state::hear_answers(const execution_ptr& x, const ack_guard& done) {
  x->hearing.hear(consent_, *x->input);
  take_answers(x, done);
}

/// Takes the answers one after another. A question is resolved on the page before its call is made,
/// so that no other answer to it counts.
void executor_state::take_answers(const execution_ptr& x, const ack_guard& done) {
  auto next = x->hearing.next_answer();
  if (next && next->said == consent::in_doubt)
    return ask_again(x, *next->asked, done, [this, x, done] { take_answers(x, done); });
  if (next)
    return take_answer(x, *next, done);
  x->hearing.end();
  tell(x, x->hearing.tell_unheard(), done);
  tell(x, x->hearing.tell_waiting(), done);
  read_page(x, done);
}

void executor_state::take_answer(
  const execution_ptr& x, const consent_hearing::answer& answer, const ack_guard& done) {
  const json::object told{{"answer", x->input->content}, {"answered_by", x->input->source.name},
    {"answer_id", x->input->observation_id}, {"outcome", name_of(answer.said)}};
  auto by = speaker_of(*x->input, x->by);
  settle_question(by, *answer.asked, told, done, [this, x, answer, done](bool taken) {
    if (taken)
      tell(x, x->hearing.take(answer), done);
    else
      x->hearing.note_too_late(answer);
    take_answers(x, done);
  });
}

/// Publishes what became of an answer, if there is something to say. The Evaluator repeats it in
/// the turn's response.
void executor_state::tell(
  const execution_ptr& x, std::optional<observation_draft> what, const ack_guard& done) {
  if (!what)
    return;
  what->context = x->context;
  publish(x->by, std::move(*what), done);
}

/// Puts a question once more in this turn, after an answer in doubt. Otherwise it could no longer
/// be answered in words soon, since words only answer recent questions.
void executor_state::ask_again(const execution_ptr& x, const observation& asked,
  const ack_guard& done, const std::function<void()>& then) {
  auto draft = asked_again(asked, consent_.ttl_minutes());
  resolve_question(x->by, asked, {{"outcome", "asked_again"}}, done,
    [this, x, draft = std::move(draft), done, then](bool taken) {
      if (!taken)
        return then(); // somebody else has answered it
      publish(x->by, draft, done, [x, then](const receipt& stored) {
        if (stored.observation)
          x->hearing.note_asked_again(stored.observation);
        then();
      });
    });
}

// -- questions ----------------------------------------------------------------------------

/// Resolves a question and its alert, unless somebody else has resolved the question.
void executor_state::settle_question(const caller& by, const observation& asked,
  const json::object& answer, const ack_guard& done, const std::function<void(bool)>& then) {
  auto alert_id = text_member(asked.metadata, "alert_id");
  resolve_question(by, asked, answer, done, [this, by, alert_id, done, then](bool taken) {
    if (taken)
      resolve_alert(by, alert_id, done);
    if (then)
      then(taken);
  });
}

void executor_state::resolve_question(const caller& by, const observation& asked,
  const json::object& answer, const ack_guard& done, const std::function<void(bool)>& then) {
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
  update(settled, done, [this, settled, done, then](bool taken) {
    if (taken)
      then(true);
    else
      claim_question(settled, done, then);
  });
}

/// Resolves a question whose revision has changed. Anybody may change a question's lifetime again
/// and again, and must not prevent an answer by that. So this ignores the revision: the first to
/// resolve the question, as the page reports, may then write the outcome.
void executor_state::claim_question(
  const update_observation& settled, const ack_guard& done, const std::function<void(bool)>& then) {
  get_observation current{settled.by, settled.observation_id};
  query<observation_ptr>(
    page(), std::move(current), done, [this, settled, done, then](const observation_ptr& found) {
      if (!found || !is_live(found->status))
        return then(false);
      update_observation claim{.by = settled.by,
        .observation_id = settled.observation_id,
        .changes = {},
        .expected_revision = {}};
      claim.changes.status = status::resolved;
      query<receipt>(page(), claim, done, [this, settled, done, then](const receipt& resolved) {
        if (!is_resolved_by(resolved, settled.by))
          return then(false);
        update_observation outcome{.by = settled.by,
          .observation_id = settled.observation_id,
          .changes = {},
          .expected_revision = {}};
        outcome.changes.metadata = settled.changes.metadata;
        update(std::move(outcome), done, [then](bool) { then(true); });
      });
    });
}

void executor_state::resolve_alert(
  const caller& by, const std::string& alert_id, const ack_guard& done) {
  if (alert_id.empty())
    return;
  update_observation settled{
    .by = by, .observation_id = alert_id, .changes = {}, .expected_revision = {}};
  settled.changes.status = status::resolved;
  update(std::move(settled), done);
}

/// Puts the question for consent. It replaces older questions about the same call, except that a
/// question caused by a relay does not replace one that the user caused.
void executor_state::ask_user(const execution_ptr& x, const planned_call& call,
  const std::string& alert_id, const std::string& reason, const ack_guard& work) {
  consent_question question{
    call, x->input->source.name, alert_id, x->input->source.relayed_by.text()};
  for (const auto& older : x->hearing.replaced_by(question, *x->input))
    settle_question(x->by, *older, {{"outcome", "asked_again"}}, work);
  auto secret = protected_data_.assess(call, manifest_of(*x, call.tool_id)).tags;
  auto draft = draft_of(question, reason, secret, consent_.ttl_minutes());
  draft.context = x->context;
  publish(x->by, std::move(draft), work);
}

} // namespace scratchpage
