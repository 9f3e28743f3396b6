#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/actors/turns/turn_warnings.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

/// The result of a turn, derived from its observations, and whose observations count for it.

namespace scratchpage {

using namespace test;

namespace {

/// A turn whose plan is one call of `pay`.
struct paid_turn {
  std::vector<observation_ptr> turn;

  paid_turn() {
    auto input = seen("obs_1", "user_input", "Pay the rent");
    input.source = {source_kind::user, "ann", "turn_1", {}};
    input.metadata["plan"] = to_json(std::vector{call("call_1", "pay")});
    turn.emplace_back(std::move(input));
  }

  static observation about_call(std::string id, std::string type, json::object more = {}) {
    auto x = seen(std::move(id), std::move(type), "Paid");
    x.metadata = std::move(more);
    x.metadata["call_id"] = "call_1";
    x.metadata["tool_id"] = "pay";
    return x;
  }

  static observation by(source_kind kind, std::string name, observation x) {
    x.source.kind = kind;
    x.source.name = std::move(name);
    return x;
  }

  void add(observation x) { turn.emplace_back(std::move(x)); }

  call_record record() const {
    auto all = calls_of(turn);
    BOOST_REQUIRE(all.size() == 1u);
    return all.front();
  }

  std::string outcome() const { return to_string(record().outcome); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(calls_of_a_turn, paid_turn)

BOOST_AUTO_TEST_CASE(a_call_has_succeeded_when_its_tool_has_answered) {
  BOOST_TEST(outcome() == "skipped");
  add(from_tool(about_call("obs_2", "tool_result"), "pay"));
  BOOST_TEST(outcome() == "succeeded");
}

BOOST_AUTO_TEST_CASE(nobody_else_can_say_that_a_call_was_made) {
  auto result = about_call("obs_2", "tool_result");
  add(by(source_kind::daemon, "assistant", result));
  add(by(source_kind::daemon, "pay", result));
  add(by(source_kind::user, "pay", result));
  add(from_tool(result, "another"));
  auto of_no_call = from_tool(result, "pay");
  of_no_call.metadata.erase("call_id");
  add(of_no_call);
  BOOST_TEST(outcome() == "skipped");
}

BOOST_AUTO_TEST_CASE(nobody_but_the_executor_can_say_that_a_call_has_failed) {
  auto alert = about_call("obs_2", "error_alert", {{"error", "it broke"}});
  add(by(source_kind::daemon, "assistant", alert));
  add(by(source_kind::tool, "executor", alert));
  BOOST_TEST(outcome() == "skipped");
  BOOST_TEST(record().error == "");
  add(by(source_kind::daemon, "executor", alert));
  BOOST_TEST(outcome() == "failed");
  BOOST_TEST(record().error == "it broke");
}

BOOST_AUTO_TEST_CASE(nobody_but_the_error_handler_can_say_what_is_done_about_a_failure) {
  add(about_call("obs_2", "error_alert", {{"error", "it broke"}})); // by the Executor
  auto plan =
    about_call("obs_3", "recovery_plan", {{"action", "partial"}, {"error_class", "transient"}});
  add(by(source_kind::daemon, "assistant", plan));
  add(by(source_kind::tool, "error_handler", plan));
  BOOST_TEST(!record().action);
  BOOST_TEST(!record().kind);
  BOOST_TEST(listed(record().observation_ids) == "obs_2");
  add(by(source_kind::daemon, "error_handler", plan));
  BOOST_TEST((record().action == recovery_action::partial));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(answer_of_a_turn)

namespace {

/// A turn's observations, from which its answer is made.
struct told_turn {
  turn_result x;

  void ask(source_kind kind, std::string name) {
    auto question = seen("obs_1", "pending_confirmation", "Which PIN?");
    question.source = {kind, std::move(name), "turn_1", {}};
    x.observations.emplace_back(std::move(question));
  }

  void tell(std::string by, std::string type, std::string content, json::object metadata = {}) {
    auto one = seen("obs_2", std::move(type), std::move(content));
    one.source.name = std::move(by);
    one.metadata = std::move(metadata);
    x.observations.emplace_back(std::move(one));
  }
};

observation_ptr alert_of(observation x) {
  return observation_ptr{std::move(x)};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_question_of_anybody_but_the_ensemble_names_who_asks, told_turn) {
  ask(source_kind::daemon, "assistant");
  ask(source_kind::user, "bob");
  ask(source_kind::daemon, "clarifier");
  ask(source_kind::tool, "clarifier");
  read_outcome(x);
  BOOST_TEST(to_string(x.status) == "waiting");
  BOOST_TEST(x.response
             == "Which PIN? clarifier asks: Which PIN? assistant asks: Which PIN? "
                "bob asks: Which PIN?");
}

BOOST_FIXTURE_TEST_CASE(
  a_question_of_an_agent_takes_the_place_of_nothing_that_the_ensemble_says, told_turn) {
  tell("evaluator", "evaluation_result", "More work: call_1 (pay) failed");
  ask(source_kind::daemon, "assistant");
  read_outcome(x);
  BOOST_TEST(to_string(x.status) == "waiting");
  BOOST_TEST(x.response == "More work: call_1 (pay) failed assistant asks: Which PIN?");
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_was_not_heard_is_told_before_questions, told_turn) {
  tell("executor", "constraint_check", "The answer to obs_7 was not taken",
    {{"verdict", "not_heard"}});
  tell("evaluator", "evaluation_result", "More work: The answer to obs_7 was not taken");
  ask(source_kind::daemon, "assistant");
  ask(source_kind::daemon, "executor");
  read_outcome(x);
  BOOST_TEST(
    x.response == "The answer to obs_7 was not taken Which PIN? assistant asks: Which PIN?");
}

BOOST_FIXTURE_TEST_CASE(a_turn_of_which_too_much_is_missing_is_not_complete, told_turn) {
  auto whole = x;
  read_outcome(whole);
  BOOST_TEST(to_string(whole.status) == "complete");
  read_outcome(x, false);
  BOOST_TEST(to_string(x.status) == "more_work");
  BOOST_TEST(x.response == "More work: what was done in the turn is not known");
}

BOOST_FIXTURE_TEST_CASE(a_response_begins_with_the_warnings, told_turn) {
  tell("evaluator", "evaluation_result", "Complete: nothing had to be executed");
  auto alert = seen("obs_9", "alert", "Smoke in\n the server room");
  auto same = seen("obs_10", "alert", "Smoke in the server room");
  auto over = seen("obs_11", "alert", "Water in the cellar");
  over.status = status::resolved;
  take_warnings(x, {alert_of(alert), alert_of(same), alert_of(over), observation_ptr{}});
  read_outcome(x);
  BOOST_REQUIRE(x.warnings.size() == 1u);
  BOOST_TEST(x.warnings[0] == "Warning: Smoke in the server room.");
  BOOST_TEST(
    x.response == "Warning: Smoke in the server room. Complete: nothing had to be executed");
}

BOOST_FIXTURE_TEST_CASE(a_warning_that_the_agent_gives_is_not_repeated, told_turn) {
  tell("agent", "agent_response", "Take care. Warning: Smoke in the server room. I called 112.");
  take_warnings(x, {alert_of(seen("obs_9", "alert", "Smoke in the server room"))});
  read_outcome(x);
  BOOST_TEST(x.response == "Take care. Warning: Smoke in the server room. I called 112.");
}

BOOST_AUTO_TEST_CASE(a_warning_is_one_line_and_not_long) {
  auto told = warning_of(seen("obs_9", "alert", std::string(10'000, 'x')));
  BOOST_TEST(told.size() <= warning_limits::content_bytes + 10);
  BOOST_TEST(warning_of(seen("obs_9", "alert", "Run!")) == "Warning: Run!");
}

BOOST_FIXTURE_TEST_CASE(only_the_router_says_which_alerts_concern_an_input, told_turn) {
  tell("assistant", "routing_decision", "High urgency", {{"alert_ids", json::array{"obs_1"}}});
  BOOST_TEST(alerts_of(x.observations).empty());
  json::array many;
  for (int i = 0; i < 20; ++i)
    many.emplace_back("obs_" + std::to_string(i));
  tell("router", "routing_decision", "High urgency", {{"alert_ids", many}});
  BOOST_TEST(alerts_of(x.observations).size() == warning_limits::alerts);
}

BOOST_AUTO_TEST_CASE(what_a_turn_has_so_far_is_in_the_order_in_which_it_was_added) {
  turn_so_far all;
  for (const auto* id : {"obs_20251105_999", "obs_20251105_1001"})
    all.own.emplace_back(seen(id, "observation", "x"));
  all.others.emplace_back(seen("obs_20251105_1000", "observation", "x"));
  std::string order;
  for (const auto& one : in_order(all))
    order += one->observation_id.substr(13) + " ";
  BOOST_TEST(order == "999 1000 1001 ");
}

BOOST_AUTO_TEST_CASE(what_others_have_said_leaves_a_story_before_what_tools_have_said) {
  episode story;
  story.turn_id = "turn_1";
  auto large = std::string(60'000, 'x');
  auto result = from_tool(seen("obs_1", "tool_result", large + large), "pay");
  story.observations.emplace_back(result);
  for (int i = 0; i < 400; ++i) {
    auto x = seen("obs_2", "observation", large);
    x.source.name = "assistant";
    story.observations.emplace_back(std::move(x));
  }
  keep_limits(story);
  BOOST_TEST(story.left_out > 0u);
  BOOST_TEST(story.observations.front()->observation_id == "obs_1");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
