#include "scratchpage/actors/daemons/clarifier.hpp"

#include <algorithm>

#include "scratchpage/actors/daemons/turn_input.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/policies/meant_questions.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t most = 1000; // questions that are looked at; as many as the Executor's

bool is_in_thread_of(const observation& asked, const observation& input) {
  return text_member(asked.context, "thread_id") == text_member(input.context, "thread_id");
}

bool is_about_action(const observation& asked) {
  return !text_member(asked.context, "pending_action_id").empty();
}

} // namespace

clarifier_state::clarifier_state(handle::pointer self, daemon_setup setup,
  const ambiguity_config& config, consent_config consent, toolbox_actor tools)
  : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::clarifier)},
    policy_{config},
    consent_{std::move(consent)},
    tools_{std::move(tools)} {}

std::vector<observation_filter> clarifier_state::interests() const {
  observation_filter filter;
  filter.type = {"routing_decision"};
  return {filter};
}

void clarifier_state::react(const page_event& event, const token& done) {
  if (event.kind != event_kind::added || !is_routers_decision(*event.observation))
    return;
  auto x = std::make_shared<reading>();
  x->by = as_me(event);
  consult<observation_ptr>(page(), get_observation{x->by, input_of(*event.observation)}, done,
    [this, x, done](observation_ptr& input) {
      if (!input)
        return;
      x->input = std::move(input);
      read_confirmations(x, done);
    });
}

void clarifier_state::read_confirmations(const reading_ptr& x, const token& done) {
  query_observations pending{.by = x->by,
    .text = {},
    .filter = {},
    .limit = most,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  pending.filter.type = {"pending_confirmation"};
  // Resolved ones, too: the Executor may have been faster to hear a "yes".
  pending.filter.status = {status::active, status::pending_review, status::resolved};
  consult<query_result>(page(), std::move(pending), done, [this, x, done](query_result& found) {
    x->confirmations = std::move(found.observations);
    x->is_partial = found.partial;
    x->knows_all = !found.partial && found.next_cursor.empty();
    read_manifests(x, done);
  });
}

void clarifier_state::read_manifests(const reading_ptr& x, const token& done) {
  consult<tool_list>(tools_, list_tools{x->by}, done, [this, x, done](tool_list& known) {
    x->manifests = std::move(known.tools);
    decide(x, done);
  });
}

void clarifier_state::decide(const reading_ptr& x, const token& done) {
  auto plan = read_plan(*x->input);
  if (!plan) {
    trace_.write_error("clarify", x->by, plan.error());
    return;
  }
  auto answered = take_answers(x, done);
  auto questions = policy_.questions(x->input->content, *plan, x->manifests, !answered.empty());
  trace_.write("clarify", x->by, {{"questions", questions.size()}});
  for (const auto& one : questions)
    ask_user(x, one, done);
}

std::vector<observation_ptr> clarifier_state::take_answers(
  const reading_ptr& x, const token& done) {
  std::vector<observation_ptr> answered;
  for (const auto& asked : x->confirmations) {
    if (!may_be_answered(*x, *asked))
      continue;
    if (read_consent_question(*asked)) {
      if (is_consent_or_refusal(*x, *asked))
        answered.push_back(asked);
    } else if (is_answer(*x, *asked)) {
      take_answer(*x, *asked, done);
      answered.push_back(asked);
    }
  }
  return answered;
}

/// Asked before, and of who speaks.
bool clarifier_state::may_be_answered(const reading& x, const observation& asked) {
  const auto& input = *x.input;
  return asked.source.turn_id != input.source.turn_id && came_before(asked, input)
         && !is_of_another(asked, input);
}

/// As the Executor reads it, which does not look at a part of the questions either.
bool clarifier_state::is_consent_or_refusal(const reading& x, const observation& asked) const {
  static const std::vector<observation_ptr> none;
  return is_in_thread_of(asked, *x.input)
         && consent_.speaks_to(*x.input, asked, x.is_partial ? none : x.confirmations);
}

/// Whoever names the questions that they answer leaves the others open. Words without a name
/// may answer several questions of the thread at once, but do no action of a goal by it.
bool clarifier_state::is_answer(const reading& x, const observation& asked) const {
  const auto& input = *x.input;
  if (!policy_.answers(asked, input.content))
    return false;
  if (names_questions(input))
    return names_answered(input) && names_id(input, "answers", asked.observation_id);
  return is_in_thread_of(asked, input) && (!is_about_action(asked) || means_no_other(x, asked));
}

/// Who does not know all the questions cannot tell.
bool clarifier_state::means_no_other(const reading& x, const observation& asked) {
  return x.knows_all
         && std::none_of(
           x.confirmations.begin(), x.confirmations.end(), [&](const observation_ptr& one) {
             return one->observation_id != asked.observation_id && may_be_meant(*one, *x.input);
           });
}

void clarifier_state::take_answer(const reading& x, const observation& asked, const token& done) {
  update_observation answer{.by = speaker_of(*x.input, x.by),
    .observation_id = asked.observation_id,
    .changes = {},
    .expected_revision = {}};
  answer.changes.status = status::resolved;
  answer.changes.metadata = asked.metadata;
  (*answer.changes.metadata)["answer"] = x.input->content;
  (*answer.changes.metadata)["answered_by"] = name_of(source_kind::user);
  (*answer.changes.metadata)["answer_id"] = x.input->observation_id;
  trace_.write("take_answer", x.by, {{"observation_id", asked.observation_id}});
  change(std::move(answer), done);
}

void clarifier_state::ask_user(const reading_ptr& x, const question& what, const token& done) {
  observation_draft draft;
  draft.type = "pending_confirmation";
  draft.content = what.text;
  draft.confidence = 0.9;
  draft.tags = {"clarification"};
  draft.owner = "user";
  draft.context = context_about(*x->input);
  draft.metadata["questions"] = json::array{json::value(what.text)};
  draft.metadata["reason"] = what.reason;
  if (!what.call_id.empty()) {
    draft.metadata["call_id"] = what.call_id;
    draft.metadata["field"] = what.field;
  }
  publish(x->by, std::move(draft), done);
}

} // namespace scratchpage
