#include "scratchpage/actors/daemons/evaluator.hpp"

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/turns/turn_calls.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t most = 1000; // of what is under review

std::vector<std::string> open_questions(const turn_so_far& turn) {
  std::vector<std::string> result;
  for (const auto* list : {&turn.own, &turn.others})
    for (const auto& x : *list)
      if (x->type == "pending_confirmation" && is_live(x->status))
        result.push_back(x->content);
  return result;
}

/// What the user is told of answers that settled no question.
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

/// The outcome of a turn is stored however much is to be said about it. What was done in the turn
/// goes last, for others have a say in how much there is to be reviewed.
void make_fit(observation_draft& draft) {
  draft.content = utf8::shortened(draft.content, draft_limits::content_bytes);
  constexpr auto most_bytes = draft_limits::metadata_bytes;
  for (const auto* name : {"reviews", "reasons", "calls"})
    if (json_size(draft.metadata, most_bytes) > most_bytes)
      draft.metadata[name] = json::array{};
}

} // namespace

evaluator_state::evaluator_state(
  handle::pointer self, daemon_setup setup, evaluation_config config, timespan longest_turn)
  : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::evaluator)},
    policy_{std::move(config)},
    longest_turn_{longest_turn} {}

std::vector<observation_filter> evaluator_state::interests() const {
  observation_filter filter;
  filter.type = {"user_input"};
  return {filter};
}

void evaluator_state::react(const page_event& event, const token&) {
  if (event.kind != event_kind::added || is_from_tool(*event.observation))
    return;
  // Waiting must not keep the batch: the turn cannot be quiet before it is
  // acknowledged. The answer comes with a hold, released when all is published.
  auto by = as_me(event);
  heard_input heard{event, setup().agent.clock->steady()};
  ask(self_, page(), longest_turn_, await_quiet{by, quiet_stage::executed})
    .then([this, by, heard] { read(heard, releasing(by)); },
      [this, by](const caf::error& err) { trace_.write_error("await_quiet", by, err); });
}

void evaluator_state::read(const heard_input& input, const token& work) {
  auto by = as_me(input.event);
  consult<turn_so_far>(
    page(), read_turn{by}, work, [this, input, by, work](const turn_so_far& turn) {
      query_observations pending{
        .by = by, .text = {}, .filter = {}, .limit = most, .cursor = {}, .deadline = {}};
      pending.filter.status = {status::pending_review};
      consult<query_result>(
        page(), std::move(pending), work, [this, input, turn, work](const query_result& found) {
          evaluate(input, turn, found.observations, work);
        });
    });
}

/// Of calls and answers the ensemble and its tools alone know, whatever others add or take away.
void evaluator_state::evaluate(const heard_input& heard, const turn_so_far& turn,
  const std::vector<observation_ptr>& pending, const token& work) {
  const auto& input = *heard.event.observation;
  evaluation_input facts;
  facts.is_known = turn.left_out == 0 && first_of(turn.own, "user_input");
  facts.input = input.content;
  facts.calls = calls_of(turn.own);
  facts.parallel = ran_in_parallel(turn.own);
  facts.duration_ms = in_milliseconds(setup().agent.clock->steady() - heard.at);
  facts.open_questions = open_questions(turn);
  facts.unheard = unheard_answers(turn.own);
  facts.pending_review = pending;
  auto result = policy_.evaluate(facts);
  auto by = as_me(heard.event);
  observation_draft draft;
  draft.type = "evaluation_result";
  draft.content = result.summary;
  draft.confidence = result.confidence;
  draft.tags = {"evaluation", std::string{name_of(result.outcome)}};
  draft.context = context_about(input);
  draft.metadata["outcome"] = name_of(result.outcome);
  draft.metadata["reasons"] = to_json(result.reasons);
  draft.metadata["calls"] = to_json(facts.calls);
  draft.metadata["reviews"] = to_json(result.reviews);
  draft.metadata["input_id"] = input.observation_id;
  make_fit(draft);
  by.cause = trace_.write("evaluate", by, {{"outcome", name_of(result.outcome)}});
  settle_reviews(by, result.reviews, work);
  publish(std::move(by), std::move(draft), work);
}

void evaluator_state::settle_reviews(
  const caller& by, const std::vector<review>& reviews, const token& work) {
  for (const auto& one : reviews) {
    update_observation request{
      .by = by, .observation_id = one.observation_id, .changes = {}, .expected_revision = {}};
    request.changes.status =
      one.decision == review_decision::resolve ? status::resolved : status::active;
    change(std::move(request), work);
  }
}

} // namespace scratchpage
