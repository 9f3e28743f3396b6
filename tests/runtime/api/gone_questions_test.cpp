#include <algorithm>
#include <chrono>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/runtime/api/asked_team.hpp"
#include "scratchpage/tests/runtime/api/callers.hpp"

/// A plain "Yes" completes an action of the user only if it cannot mean another question that has
/// left the page since.

namespace scratchpage::test {

namespace {

/// A team with a goal that has an action for Ann.
struct team_with_payment : asked_team {
  team_with_payment() {
    begin();
    create_goal request{as_daemon("planner"), {}};
    request.draft.goal_id = request.draft.goal_type = "rent";
    request.draft.pending_actions = {
      {.action_id = "pay", .action_type = "pay_rent", .assigned_to = assignee::user}};
    value(ask(host->cortex(), std::move(request)));
  }

  std::string status_of_payment() {
    auto goal = as(agent, "goal_get", R"({"goal_id": "rent"})");
    return std::string{goal.at("pending_actions").at(0).at("status").as_string()};
  }

  /// A question of a tool that the ensemble runs, about the action unless that is "".
  std::string ask_about(const std::string& action) {
    auto x = draft("pending_confirmation", "Is the rent paid?");
    x.context = {{"thread_id", "t"}, {"pending_action_id", action}};
    return team::add(as_tool("cashier", "turn_0"), std::move(x)).observation->observation_id;
  }

  /// An agent asks another question in the thread.
  std::string ask_beside(const std::string& more = {}) {
    by = agent;
    return add(R"({"type": "pending_confirmation", "content": "Is the window open?",
      "context": {"thread_id": "t"})"
               + more + "}");
  }

  void hear_yes() { as(ann, "begin_turn", R"({"input": "Yes", "thread_id": "t"})"); }

  void take_back(const std::string& id) {
    as(agent, "archive_observation", R"({"observation_id": ")" + id + "\"}");
  }

  void check_that_the_first_yes_is_in_doubt(const std::string& asked) {
    advance(std::chrono::seconds{1});
    hear_yes();
    BOOST_TEST(status_of_payment() == "pending");
    BOOST_TEST(is_open(asked));
    advance(std::chrono::seconds{1});
    hear_yes(); // the first turn's answer named the open question
    BOOST_TEST(status_of_payment() == "done");
  }

  bool is_open(const std::string& id) {
    auto found = of_type("pending_confirmation");
    return std::any_of(found.begin(), found.end(),
      [&](const observation_ptr& x) { return x->observation_id == id; });
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(questions_that_have_gone, team_with_payment)

BOOST_AUTO_TEST_CASE(a_yes_that_may_mean_a_question_that_was_taken_back_does_no_action) {
  auto pay = ask_about("pay");
  take_back(ask_beside());
  check_that_the_first_yes_is_in_doubt(pay);
}

BOOST_AUTO_TEST_CASE(a_yes_that_may_mean_a_question_that_its_asker_resolved_does_no_action) {
  auto pay = ask_about("pay");
  as(agent, "update_observation",
    R"({"observation_id": ")" + ask_beside() + R"(", "changes": {"status": "resolved"}})");
  check_that_the_first_yes_is_in_doubt(pay);
}

BOOST_AUTO_TEST_CASE(a_yes_that_may_mean_a_question_that_has_expired_does_no_action) {
  auto pay = ask_about("pay");
  ask_beside(R"(, "ttl_minutes": 1)");
  advance(std::chrono::minutes{2});
  check_that_the_first_yes_is_in_doubt(pay);
}

BOOST_AUTO_TEST_CASE(a_yes_that_may_mean_an_earlier_question_of_the_turn_does_no_action) {
  auto other = ask_about("");
  advance(std::chrono::minutes{1});
  auto pay = ask_about("pay");
  take_back(other);
  check_that_the_first_yes_is_in_doubt(pay);
}

BOOST_AUTO_TEST_CASE(a_question_that_had_gone_before_keeps_no_yes_from_an_action) {
  take_back(ask_beside());
  advance(std::chrono::seconds{1});
  ask_about("pay");
  hear_yes();
  BOOST_TEST(status_of_payment() == "done");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
