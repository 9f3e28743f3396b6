#include "scratchpage/actors/daemons/clarifier.hpp"

#include "scratchpage/actors/daemons/turn_input.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

/// Whether it was asked of another user than the one who speaks, and that is not who owns
/// the agent.
bool is_of_another(const observation& asked, const observation& input) {
  auto user = text_member(asked.context, "user_id");
  return !user.empty() && user != text_member(input.context, "user_id") && !is_by_owner(input);
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
  query_observations pending{
    .by = x->by, .text = {}, .filter = {}, .limit = 100, .cursor = {}, .deadline = {}};
  pending.filter.type = {"pending_confirmation"};
  // Resolved ones, too: the Executor may have been faster to hear a "yes".
  pending.filter.status = {status::active, status::pending_review, status::resolved};
  consult<query_result>(page(), std::move(pending), done, [this, x, done](query_result& found) {
    x->confirmations = std::move(found.observations);
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
  auto thread = text_member(x->input->context, "thread_id");
  for (const auto& asked : x->confirmations) {
    if (asked->source.turn_id == x->input->source.turn_id
        || text_member(asked->context, "thread_id") != thread || is_of_another(*asked, *x->input))
      continue;
    if (read_consent_question(*asked)) {
      if (consent_.speaks_to(*x->input, *asked, x->confirmations))
        answered.push_back(asked);
      continue;
    }
    if (!policy_.answers(*asked, x->input->content))
      continue;
    update_observation answer{.by = speaker_of(*x->input, x->by),
      .observation_id = asked->observation_id,
      .changes = {},
      .expected_revision = {}};
    answer.changes.status = status::resolved;
    answer.changes.metadata = asked->metadata;
    (*answer.changes.metadata)["answer"] = x->input->content;
    (*answer.changes.metadata)["answered_by"] = name_of(source_kind::user);
    (*answer.changes.metadata)["answer_id"] = x->input->observation_id;
    trace_.write("take_answer", x->by, {{"observation_id", asked->observation_id}});
    change(std::move(answer), done);
    answered.push_back(asked);
  }
  return answered;
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
