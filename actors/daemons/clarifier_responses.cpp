#include <algorithm>

#include "scratchpage/actors/daemons/team.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"

/// The CLARIFIER's part about questions that an agent asks in its responses: it puts them on the
/// page, and the person's next input answers them.

namespace scratchpage {

namespace {

/// Whether the question waits for the speaker of the input, in the thread of the input.
bool waits_for_speaker(const observation& asked, const observation& input) {
  return is_response_question(asked) && is_live(asked.status) && came_before(asked, input)
         && !is_in_one_turn(asked, input) && !is_of_another(asked, input)
         && text_member(asked.context, "thread_id") == text_member(input.context, "thread_id");
}

} // namespace

/// Only TURNS adds responses, for the agent that ends the turn.
void clarifier_state::read_response_of(const page_event& event, const ack_guard& done) {
  const auto& response = *event.observation;
  auto question = question_in(response);
  if (!question)
    return;
  auto by = as_me(event);
  by.cause = trace_.write("await_person", by,
    {{"response_id", response.observation_id}, {"kind", text_member(question->metadata, "kind")}});
  publish(std::move(by), std::move(*question), done);
}

/// The latest question of the speaker's is the one that an input answers; the others, and one that
/// it does not speak to, wait on.
void clarifier_state::take_replies(const reading_ptr& x, const ack_guard& done) {
  bool is_latest = true;
  for (const auto& asked : x->confirmations) { // the newest come first
    if (!waits_for_speaker(*asked, *x->input))
      continue;
    auto how = is_latest ? answer_to(*asked, *x->input) : std::nullopt;
    is_latest = false;
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
