#include <utility>
#include <vector>

#include "scratchpage/actors/daemons/team.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"

/// The CLARIFIER's part about questions that an agent asks in its responses: it puts them on the
/// page, and the person's next input answers them.

namespace scratchpage {

namespace {

constexpr uint32_t most_own = 100; // questions of the CLARIFIER in one turn

/// Whether the question waits for the speaker of the input.
bool waits_for_speaker(const observation& asked, const observation& input) {
  return is_response_question(asked) && is_live(asked.status) && came_before(asked, input)
         && !is_in_one_turn(asked, input) && !is_of_another(asked, input);
}

bool shares_thread(const observation& asked, const observation& input) {
  return text_member(asked.context, "thread_id") == text_member(input.context, "thread_id");
}

/// Whether the input says that it answers this question.
bool is_named(const observation& asked, const observation& input) {
  return names_answered(input) && names_id(input, "answers", asked.observation_id);
}

/// The questions that the input may answer, the newest first. If it names questions, it is about
/// these alone, in whatever thread they are.
std::vector<observation_ptr> questions_about(
  const std::vector<observation_ptr>& confirmations, const observation& input) {
  std::vector<observation_ptr> result;
  for (const auto& asked : confirmations)
    if (waits_for_speaker(*asked, input)
        && (names_questions(input) ? is_named(*asked, input) : shares_thread(*asked, input)))
      result.push_back(asked);
  return result;
}

/// How the input answers the question. Words that name it answer it, whatever they are.
std::optional<answer_kind> answer_of(
  const observation& asked, const observation& input, bool is_latest) {
  if (names_questions(input))
    return answer_to(asked, input).value_or(answer_kind::answered);
  return is_latest ? answer_to(asked, input) : std::nullopt;
}

} // namespace

/// Only TURNS adds responses, for the agent that ends the turn.
void clarifier_state::read_response_of(const page_event& event, const ack_guard& done) {
  const auto& response = *event.observation;
  withdraw_own(event, done);
  auto question = question_in(response);
  if (!question)
    return;
  auto by = as_me(event);
  by.cause = trace_.write("await_person", by,
    {{"response_id", response.observation_id}, {"kind", text_member(question->metadata, "kind")}});
  publish(std::move(by), std::move(*question), done);
}

/// What was unclear in a turn has been dealt with when its agent has answered the input itself: the
/// questions that the CLARIFIER asked about the input are nobody's any more.
void clarifier_state::withdraw_own(const page_event& event, const ack_guard& done) {
  auto by = as_me(event);
  query_observations own{
    .by = by, .text = {}, .filter = {}, .limit = most_own, .cursor = {}, .deadline = {}};
  own.filter.type = {"pending_confirmation"};
  own.filter.source = {name};
  own.filter.turn_id = event.observation->source.turn_id;
  query<query_result>(page(), std::move(own), done, [this, by, done](const query_result& found) {
    for (const auto& asked : found.observations)
      if (!is_response_question(*asked))
        update({.by = by,
                 .observation_id = asked->observation_id,
                 .changes = {.status = status::archived},
                 .expected_revision = asked->revision},
          done);
  });
}

/// Words that name no question answer the latest one of the speaker's; the others, and one that the
/// words do not speak to, wait on. Words that name questions leave the others as they are.
void clarifier_state::take_replies(const reading_ptr& x, const ack_guard& done) {
  bool is_latest = true;
  for (const auto& asked : questions_about(x->confirmations, *x->input)) {
    auto how = answer_of(*asked, *x->input, std::exchange(is_latest, false));
    update_observation change{.by = how ? speaker_of(*x->input, x->by) : x->by,
      .observation_id = asked->observation_id,
      .changes = how ? answered(*asked, *x->input, *how) : waited(*asked, give_up_after_turns_),
      .expected_revision = asked->revision};
    if (how)
      trace_.write(
        "take_reply", x->by, {{"observation_id", asked->observation_id}, {"as", name_of(*how)}});
    ++x->not_settled;
    update(std::move(change), done, [this, x, done, answers = how.has_value()](bool taken) {
      x->answers_earlier = x->answers_earlier || (answers && taken);
      settled(x, done);
    });
  }
}

} // namespace scratchpage
