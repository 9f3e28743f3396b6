#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/runtime/models/model_team.hpp"

/// How long turns take on virtual time if each answer of the model takes 300 ms. A daemon asks when
/// there is what it wakes on: the Router the input, the Clarifier the Router's decision, the Error
/// Handler a failed call, the Evaluator what was done, the Reflector the assessment.

namespace scratchpage::test {

using namespace models;
using namespace std::chrono_literals;

namespace {

/// The actors themselves take no time.
constexpr int64_t tolerance = 10;

struct slow_model : model_team {
  slow_model() {
    let_all_ask();
    answer("router", routed_as("low"));
    answer("clarifier", {{"questions", json::array{}}, {"confidence", 0.9}});
    answer("error_handler", {{"error_class", "transient"}, {"action", "retry"}, {"alternative", ""},
                              {"description", "Once more"}, {"confidence", 0.9}});
    answer("evaluator", judged_as("complete"));
    answer("reflector", {{"lessons", json::array{}}, {"confidence", 0.9}});
    recorded_response stuck;
    stuck.status = tool_status::error;
    stuck.outputs = {{"error", "the needle is stuck"}};
    recorded_response found;
    found.outputs = {{"word", "needle"}};
    add_tool({.tool_id = "look_up", .idempotent = true}, {std::move(stuck), std::move(found)});
  }

  static begin_turn hello(std::string thread) {
    begin_turn result;
    result.thread_id = std::move(thread);
    result.user_id = "ann";
    result.input = "Hello there";
    return result;
  }

  /// How long it takes until the last of some turns has ended, which begin at the same time.
  int64_t time_of(const std::vector<begin_turn>& turns) {
    auto begun = now();
    std::vector<std::shared_ptr<testing::pending_answer<turn_result>>> answers;
    for (const auto& one : turns)
      answers.push_back(send(host->turns(), one));
    advance(10s);
    auto last = begun;
    for (const auto& one : answers) {
      BOOST_REQUIRE(one->arrived());
      last = std::max(last, value(*one->value).ended_at);
    }
    return in_milliseconds(last - begun);
  }

  /// When, after the beginning of a turn, a daemon's first question was asked.
  int64_t asked_at(const turn_result& turn, const std::string& daemon) const {
    for (const auto& x : trace->entries())
      if (x.operation == "ask_model" && x.turn_id == turn.turn_id
          && text_member(x.detail, "daemon") == daemon)
        return in_milliseconds(x.at - turn.started_at) - std::llround(x.duration_ms);
    BOOST_FAIL(daemon + " has asked nothing");
    return 0;
  }
};

void check_takes(int64_t took, int64_t expected) {
  BOOST_TEST(took >= expected);
  BOOST_TEST(took <= expected + tolerance);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(with_a_model_that_answers_in_300_ms, slow_model)

BOOST_AUTO_TEST_CASE(a_turn_waits_only_for_daemons_that_ask) {
  setup.config.models.daemons = {};
  setup.config.models.daemons.evaluator = decided_by::model;
  start();
  check_takes(time_of({hello("main")}), 300);
}

BOOST_AUTO_TEST_CASE(each_daemon_asks_when_there_is_what_it_wakes_on) {
  start();
  auto turn = say("Hello there");
  check_takes(asked_at(turn, "router"), 0);
  check_takes(asked_at(turn, "clarifier"), 300);
  check_takes(asked_at(turn, "evaluator"), 600);
  check_takes(asked_at(turn, "reflector"), 900);
  check_takes(in_milliseconds(turn.ended_at - turn.started_at), 1'200);
}

BOOST_AUTO_TEST_CASE(the_clarifier_and_the_error_handler_ask_at_the_same_time) {
  setup.config.recovery.backoff_ms = 0;
  start();
  auto turn = say("Find the word", {call("look_up")});
  check_takes(asked_at(turn, "clarifier"), 300);
  check_takes(asked_at(turn, "error_handler"), 300);
  check_takes(in_milliseconds(turn.ended_at - turn.started_at), 1'200);
  BOOST_TEST(decided("error_handler") == "model");
  BOOST_TEST(calls_of("look_up") == 2u);
}

BOOST_AUTO_TEST_CASE(turns_of_several_threads_ask_side_by_side) {
  start();
  check_takes(time_of({hello("a"), hello("b"), hello("c"), hello("d")}), 1'200);
}

BOOST_AUTO_TEST_CASE(the_next_turn_of_a_person_in_a_thread_waits_for_the_last) {
  start();
  check_takes(time_of({hello("main"), hello("main")}), 2'400);
}

BOOST_AUTO_TEST_CASE(as_many_questions_as_may_be_asked_at_a_time_share_the_wait) {
  setup.config.models.concurrency = 2;
  start();
  check_takes(time_of({hello("a"), hello("b"), hello("c"), hello("d")}), 2'400);
}

BOOST_AUTO_TEST_CASE(a_background_turn_is_answered_before_the_model_has_answered) {
  start();
  auto begun = now();
  auto turn = hello("main");
  turn.mode = turn_mode::background;
  BOOST_TEST(to_string(run(turn).status) == "background");
  check_takes(in_milliseconds(now() - begun), 0);
  BOOST_TEST(model->count("router") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
