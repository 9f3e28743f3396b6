#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

call_record record(std::string id, std::string tool, call_outcome outcome) {
  call_record x;
  x.call_id = std::move(id);
  x.planned_tool = tool;
  x.tool_id = std::move(tool);
  x.outcome = outcome;
  return x;
}

evaluation evaluate(const evaluation_input& turn) {
  return evaluation_policy{default_config().evaluation}.evaluate(turn);
}

std::string outcome(const evaluation_input& turn) {
  return to_string(evaluate(turn).outcome);
}

} // namespace

BOOST_AUTO_TEST_SUITE(evaluations)

BOOST_AUTO_TEST_CASE(an_answer_of_the_user_that_was_not_heard_is_told) {
  evaluation_input turn;
  turn.unheard = {"The answer to obs_7 was not taken"};
  auto result = evaluate(turn);
  BOOST_TEST(to_string(result.outcome) == "more_work");
  BOOST_TEST(result.summary == "More work: The answer to obs_7 was not taken");
}

BOOST_AUTO_TEST_CASE(a_plan_that_succeeded_is_complete,
  *boost::unit_test::description("DS_x2: parallel execution completed in 500ms")) {
  evaluation_input turn;
  turn.calls = {record("a", "weather", call_outcome::succeeded),
    record("b", "weather", call_outcome::succeeded)};
  turn.parallel = true;
  turn.duration_ms = 500;
  auto result = evaluate(turn);
  BOOST_TEST(to_string(result.outcome) == "complete");
  BOOST_TEST(result.summary == "Complete: parallel execution of 2 calls succeeded in 500ms");
  BOOST_TEST(result.confidence == 0.99);
}

BOOST_AUTO_TEST_CASE(a_turn_without_a_plan_is_complete) {
  auto result = evaluate({});
  BOOST_TEST(to_string(result.outcome) == "complete");
  BOOST_TEST(result.summary == "Complete: nothing had to be executed");
}

BOOST_AUTO_TEST_CASE(failed_and_skipped_calls_are_more_work) {
  evaluation_input turn;
  turn.calls = {
    record("a", "book", call_outcome::failed), record("b", "mail", call_outcome::skipped)};
  turn.calls[0].error = "not enough seats";
  turn.calls[0].action = recovery_action::escalate;
  auto result = evaluate(turn);
  BOOST_TEST(to_string(result.outcome) == "more_work");
  BOOST_TEST(
    result.summary == "More work: a (book) failed: not enough seats; b (mail) was skipped");
}

BOOST_AUTO_TEST_CASE(a_later_success_of_the_same_tool_makes_a_failure_good) {
  evaluation_input turn;
  turn.calls = {
    record("a", "book", call_outcome::failed), record("b", "book", call_outcome::succeeded)};
  BOOST_TEST(outcome(turn) == "complete");
  BOOST_TEST(evaluate(turn).confidence == 0.85);
  std::swap(turn.calls[0], turn.calls[1]);
  BOOST_TEST(outcome(turn) == "more_work");
}

BOOST_AUTO_TEST_CASE(a_partial_success_leaves_nothing_to_do) {
  evaluation_input turn;
  turn.calls = {record("a", "search", call_outcome::failed)};
  turn.calls[0].action = recovery_action::partial;
  BOOST_TEST(outcome(turn) == "complete");
  turn.calls[0].action = recovery_action::fail_gracefully;
  BOOST_TEST(outcome(turn) == "more_work");
}

BOOST_AUTO_TEST_CASE(an_open_question_is_more_work) {
  evaluation_input turn;
  turn.open_questions = {"Which date?"};
  BOOST_TEST(evaluate(turn).summary == "More work: 1 question to the user");
}

BOOST_AUTO_TEST_CASE(a_turn_of_which_not_all_is_known_is_not_complete) {
  evaluation_input turn;
  turn.is_known = false;
  auto result = evaluate(turn);
  BOOST_TEST(to_string(result.outcome) == "more_work");
  BOOST_TEST(result.summary == "More work: what was done in the turn is not known");
}

BOOST_AUTO_TEST_CASE(what_is_sent_back_is_named_up_to_twenty_times) {
  evaluation_input turn;
  turn.calls = {record("a", "book", call_outcome::failed)};
  for (int i = 0; i < 23; ++i)
    turn.pending_review.emplace_back(
      seen("obs_" + std::to_string(i), "observation", "unsure", {}, 0.1));
  auto result = evaluate(turn);
  BOOST_TEST(result.reviews.size() == 23u);
  BOOST_REQUIRE(result.reasons.size() == 22u); // 20 reviews, the call, and "3 more"
  BOOST_TEST(result.reasons.front() == "a (book) failed");
  BOOST_TEST(result.reasons.back() == "3 more were sent back");
}

BOOST_AUTO_TEST_CASE(what_is_under_review_is_resolved_or_sent_back) {
  evaluation_input turn;
  turn.calls = {record("a", "bank", call_outcome::failed)};
  turn.calls[0].action = recovery_action::partial;
  turn.pending_review = {observation_ptr{seen("obs_1", "observation", "sure", {}, 0.7)},
    observation_ptr{seen("obs_2", "observation", "unsure", {}, 0.69)},
    observation_ptr{from_tool(seen("obs_3", "observation", "balance"), "bank")}};
  auto result = evaluate(turn);
  BOOST_REQUIRE(result.reviews.size() == 3u);
  BOOST_TEST(to_string(result.reviews[0].decision) == "resolve");
  BOOST_TEST(to_string(result.reviews[1].decision) == "send_back");
  BOOST_TEST(result.reviews[1].reason == "its confidence 0.69 is below 0.7");
  BOOST_TEST(result.reviews[2].reason == "bank failed in this turn");
  BOOST_TEST(to_string(result.outcome) == "more_work");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
