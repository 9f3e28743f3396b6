#include "scratchpage/actors/daemons/team.hpp"

#include <algorithm>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/interruption.hpp"
#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t max_reviews = 1000; // observations under review that are read

/// Whether the ensemble asked about the input itself, and not for an input of a planned call.
bool is_about_input(const observation& x) {
  return is_component(x.source.name) && !is_response_question(x)
         && x.metadata.if_contains("call_id") == nullptr && !read_consent_question(x);
}

/// The questions that wait for the user. An agent that did something, or answered, did not need
/// those about its input; what it asks itself is a question of its response.
std::vector<std::string> open_questions(const turn_so_far& turn, bool went_on) {
  std::vector<std::string> result;
  for (const auto* list : {&turn.own, &turn.others})
    for (const auto& x : *list)
      if (x->type == "pending_confirmation" && is_live(x->status)
          && !(went_on && is_about_input(*x)))
        result.push_back(x->content);
  return result;
}

/// Whether the turn was gone on with: something was said, or a call has succeeded.
bool has_gone_on(const evaluation_input& turn) {
  return !turn.response.empty()
         || std::any_of(turn.calls.begin(), turn.calls.end(),
           [](const call_record& one) { return one.outcome == call_outcome::succeeded; });
}

/// The texts that tell the user which answers were not taken.
std::vector<std::string> unheard_answers(const std::vector<observation_ptr>& turn) {
  std::vector<std::string> result;
  for (const auto& x : turn)
    if (is_about_unheard(*x))
      result.push_back(x->content);
  return result;
}

bool ran_in_parallel(const std::vector<observation_ptr>& turn) {
  auto plan = execution_of(turn);
  const auto* flag = plan ? plan->metadata.if_contains("parallel") : nullptr;
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

/// Shortens the draft to what the page accepts, so that the outcome of a turn is always stored. The
/// calls are dropped last: how many reviews there are depends on others.
void make_fit(observation_draft& draft) {
  draft.content = utf8::shortened(draft.content, draft_limits::content_bytes);
  constexpr auto max_bytes = draft_limits::metadata_bytes;
  for (const auto* name : {"reviews", "reasons", "calls"})
    if (json_size(draft.metadata, max_bytes) > max_bytes)
      draft.metadata[name] = json::array{};
}

/// The event with the input of the turn, if that came in a process before.
page_event with_input(page_event x, const std::vector<observation_ptr>& turn) {
  if (is_interruption(*x.observation))
    if (auto input = first_of(turn, "user_input"))
      x.observation = std::move(input);
  return x;
}

observation_draft evaluation_draft(
  const observation& input, const std::vector<call_record>& calls, const evaluation& result) {
  observation_draft draft;
  draft.type = "evaluation_result";
  draft.content = result.summary;
  draft.confidence = result.confidence;
  draft.tags = {"evaluation", std::string{name_of(result.outcome)}};
  draft.context = context_about(input);
  draft.metadata["outcome"] = name_of(result.outcome);
  draft.metadata["reasons"] = to_json(result.reasons);
  draft.metadata["calls"] = to_json(calls);
  draft.metadata["reviews"] = to_json(result.reviews);
  draft.metadata["input_id"] = input.observation_id;
  make_fit(draft);
  return draft;
}

} // namespace

evaluator_state::evaluator_state(handle::pointer self, daemon_setup setup,
  policy_choice<evaluator_policy> policy, timespan longest_turn)
  : deciding_daemon{self, std::move(setup), name, static_cast<uint32_t>(component::evaluator)},
    policy_{std::move(policy)},
    longest_turn_{longest_turn} {}

std::vector<observation_filter> evaluator_state::wanted() {
  observation_filter inputs;
  inputs.type = {"user_input"};
  return {inputs, filter_of_interruptions()};
}

void evaluator_state::react(const page_event& event, const ack_guard&) {
  const auto& x = event.observation;
  if (event.kind != event_kind::added || is_from_tool(*x)
      || (x->type != "user_input" && !is_interruption(*x)))
    return;
  // The batch is acknowledged now: the turn cannot be quiet before that. The answer comes with a
  // hold on the turn, which is released when everything is published.
  auto by = as_me(event);
  heard_input heard{event, setup().agent.clock->steady()};
  ask(self_, page(), longest_turn_, await_quiet{by, quiet_stage::executed})
    .then([this, by, heard] { read(heard, releasing(by)); },
      [this, by](const caf::error& err) { trace_.write_error("await_quiet", by, err); });
}

void evaluator_state::read(const heard_input& input, const ack_guard& work) {
  auto by = as_me(input.event);
  query<turn_so_far>(page(), read_turn{by}, work, [this, input, by, work](const turn_so_far& turn) {
    query_observations pending{
      .by = by, .text = {}, .filter = {}, .limit = max_reviews, .cursor = {}, .deadline = {}};
    pending.filter.status = {status::pending_review};
    query<query_result>(
      page(), std::move(pending), work, [this, input, turn, work](const query_result& found) {
        evaluate({with_input(input.event, turn.own), input.at}, turn, found.observations, work);
      });
  });
}

/// Calls and answers are read from what the ensemble and its tools added; what others add to the
/// turn, or take away, does not count.
void evaluator_state::evaluate(const heard_input& heard, const turn_so_far& turn,
  const std::vector<observation_ptr>& pending, const ack_guard& work) {
  const auto& input = *heard.event.observation;
  evaluation_input facts;
  facts.is_known = turn.left_out == 0 && first_of(turn.own, "user_input");
  facts.input = input.content;
  facts.calls = calls_of(turn.own);
  if (interruption_of(turn.own))
    call_unanswered(facts.calls);
  if (auto said = first_of(turn.own, "agent_response"))
    facts.response = said->content;
  for (const auto& x : turn.own)
    if (is_from_tool(*x) && x->type != "tool_result" && x->type != "error_alert")
      facts.noticed.push_back(x);
  facts.parallel = ran_in_parallel(turn.own);
  facts.duration_ms = in_milliseconds(setup().agent.clock->steady() - heard.at);
  facts.open_questions = open_questions(turn, has_gone_on(facts));
  facts.unheard = unheard_answers(turn.own);
  facts.pending_review = pending;
  facts.by = as_me(heard.event);
  auto calls = facts.calls;
  auto check = [input = heard.event.observation, calls](
                 const evaluation& x) { return check_draft(evaluation_draft(*input, calls, x)); };
  decide<evaluator_policy>(
    policy_, as_me(heard.event), std::move(facts), work, check,
    [this, event = heard.event, calls = std::move(calls)](
      const evaluation& decided, const ack_guard& held) { judge(event, calls, decided, held); },
    true);
}

void evaluator_state::judge(const page_event& heard, const std::vector<call_record>& calls,
  const evaluation& result, const ack_guard& work) {
  auto by = as_me(heard);
  by.cause = trace_.write("evaluate", by, {{"outcome", name_of(result.outcome)}});
  settle_reviews(by, result.reviews, work);
  publish(std::move(by), evaluation_draft(*heard.observation, calls, result), work);
}

void evaluator_state::settle_reviews(
  const caller& by, const std::vector<review>& reviews, const ack_guard& work) {
  for (const auto& one : reviews) {
    update_observation request{
      .by = by, .observation_id = one.observation_id, .changes = {}, .expected_revision = {}};
    request.changes.status =
      one.decision == review_decision::resolve ? status::resolved : status::active;
    update(std::move(request), work);
  }
}

} // namespace scratchpage
