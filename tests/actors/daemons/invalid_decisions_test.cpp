#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/team.hpp"

/// The built-in policy decides if an own policy gives a decision that the page would refuse.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

const std::string not_utf8 = "caf\xE9";

/// A factory of policies that always give that decision.
template <class Policy>
policy_factory<Policy> always(typename Policy::decision x) {
  return [x](const auto&) { return policy_of<Policy>([x](const auto&) { return x; }); };
}

/// A Router's policy that throws no exception of the standard library.
class odd_router : public router_policy {
public:
  void decide(const routing_case&, answer) override { throw 42; }
};

/// A Router's policy that decides when the test says so.
class slow_router : public router_policy {
public:
  explicit slow_router(std::vector<answer>& asked)
    : asked_{asked} {}

  void decide(const routing_case&, answer decided) override {
    asked_.push_back(std::move(decided));
  }

private:
  std::vector<answer>& asked_;
};

/// Members that outlive the actors.
struct callbacks {
  std::vector<router_policy::answer> asked;
};

struct slow_team : callbacks, team {};

/// A team with a tool that always fails.
struct failing_team : team {
  failing_team() {
    add_tool(
      {.tool_id = "weather"}, {{.status = tool_status::error, .outputs = {{"error", "it broke"}}}});
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(invalid_decisions)

BOOST_AUTO_TEST_CASE(an_urgency_that_cannot_be_stored_leaves_the_decision_to_the_rules) {
  for (const auto& wrong : {urgency_assessment{urgency::high, {std::string(70'000, 'x')}, {}},
         urgency_assessment{urgency::high, {not_utf8}, {}},
         urgency_assessment{urgency::high, {}, {not_utf8}},
         urgency_assessment{urgency::high, {}, {std::string(70'000, 'x')}}}) {
    team x;
    x.setup.policies.router = always<router_policy>(wrong);
    x.start();
    BOOST_TEST(to_string(x.say("Hello there").urgency) == "low");
    BOOST_TEST(x.of_type("routing_decision").size() == 1u);
    BOOST_TEST(x.traced("decide", "invalid_observation") == 1u);
  }
}

BOOST_FIXTURE_TEST_CASE(a_late_decision_is_checked_as_well, slow_team) {
  setup.policies.router = [this](const auto&) { return std::make_shared<slow_router>(asked); };
  start();
  auto turn = send(host->turns(), begin_turn{.input = "Hello there"});
  settle();
  BOOST_REQUIRE(asked.size() == 1u);
  asked[0]({urgency::high, {not_utf8}, {}});
  settle();
  BOOST_REQUIRE(turn->arrived());
  BOOST_TEST(to_string(value(std::move(*turn->value)).urgency) == "low");
  BOOST_TEST(traced("decide", "invalid_observation") == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_policy_may_throw_anything, team) {
  setup.policies.router = [](const auto&) { return std::make_shared<odd_router>(); };
  start();
  BOOST_TEST(to_string(say("Hello there").urgency) == "low");
  BOOST_TEST(traced("decide", "internal") == 1u);
}

BOOST_AUTO_TEST_CASE(a_question_that_cannot_be_asked_leaves_the_decision_to_the_rules) {
  for (const auto& wrong : {question{.text = ""}, question{.text = not_utf8},
         question{.text = "What?", .reason = not_utf8},
         question{.text = "What?", .reason = std::string(70'000, 'x')}}) {
    team x;
    x.setup.policies.clarifier =
      always<clarifier_policy>({question{.text = "A good question?"}, wrong});
    x.start();
    BOOST_TEST(x.say("Hello there").questions.empty());
    BOOST_TEST(x.traced("decide", "invalid_observation") == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_recovery_that_cannot_be_planned_leaves_the_decision_to_the_rules) {
  const recovery good{
    .action = recovery_action::escalate, .description = "Look at it", .confidence = 1};
  std::vector<recovery> wrong(6, good);
  wrong[0].description = " ";
  wrong[1].description = not_utf8;
  wrong[2].backoff = -1ms;
  wrong[3].timeout_ms = std::nan("");
  wrong[4].confidence = std::nan("");
  wrong[5].alternative = not_utf8;
  for (const auto& one : wrong) {
    failing_team x;
    x.setup.policies.error_handler = always<error_handler_policy>(one);
    x.start();
    x.say("How warm is it?", {call("weather")});
    auto plans = x.of_type("recovery_plan");
    BOOST_REQUIRE(plans.size() == 1u);
    BOOST_TEST(plans[0]->metadata.at("action").as_string() == "fail_gracefully");
    BOOST_TEST(x.traced("decide", "invalid_observation") == 1u);
  }
}

BOOST_AUTO_TEST_CASE(an_evaluation_that_cannot_be_stored_leaves_the_decision_to_the_rules) {
  const evaluation good{evaluation_outcome::more_work, 1, "There is more to do", {}, {}};
  std::vector<evaluation> wrong(4, good);
  wrong[0].summary = "";
  wrong[1].summary = not_utf8;
  wrong[2].confidence = std::nan("");
  wrong[3].reasons = {not_utf8};
  for (const auto& one : wrong) {
    team x;
    x.setup.policies.evaluator = always<evaluator_policy>(one);
    x.start();
    BOOST_TEST(to_string(x.say("Hello there").status) == "complete");
    BOOST_TEST(x.of_type("evaluation_result").size() == 1u);
    BOOST_TEST(x.traced("decide", "invalid_observation") == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_lesson_that_cannot_be_stored_leaves_the_decision_to_the_rules) {
  const turn_lesson good{
    .type = "learning", .statement = "Ann says hello", .confidence = 0.9, .fact_key = "hello"};
  std::vector<turn_lesson> wrong(5, good);
  wrong[0].type = "rumour";
  wrong[1].statement = "";
  wrong[2].tags = {""};
  wrong[3].fact_key = not_utf8;
  wrong[4].confidence = std::nan("");
  for (const auto& one : wrong) {
    team x;
    x.setup.policies.reflector = always<reflector_policy>({good, one});
    x.start();
    x.say("Hello there");
    BOOST_TEST(x.facts().empty());
    auto code = one.type == "rumour" ? "unknown_type" : "invalid_observation";
    BOOST_TEST(x.traced("decide", code) == 1u);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
