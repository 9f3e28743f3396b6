#include <set>
#include <stdexcept>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

urgency_assessment high_because(std::string reason) {
  return {urgency::high, {std::move(reason)}, {}};
}

/// A Router's policy that leaves each decision to the test.
class open_router : public router_policy {
public:
  explicit open_router(std::vector<answer>& asked)
    : asked_{asked} {}

  void decide(const routing_case&, answer decided) override {
    asked_.push_back(std::move(decided));
  }

private:
  std::vector<answer>& asked_;
};

class failing_router : public router_policy {
public:
  void decide(const routing_case&, answer) override { throw std::runtime_error{"no model"}; }
};

/// Members that outlive the actors.
struct callbacks {
  std::vector<router_policy::answer> asked;
};

/// A team whose Router waits for decisions of the test.
struct slow_team : callbacks, team {
  slow_team() {
    setup.policies.router = [this](const auto&) { return std::make_shared<open_router>(asked); };
    setup.policies.within = 5s;
    start();
  }

  auto begin(std::string input) {
    auto result = send(host->turns(), begin_turn{.input = std::move(input)});
    settle();
    return result;
  }

  turn_result result_of(const std::shared_ptr<pending_answer<turn_result>>& x) {
    BOOST_REQUIRE(x->arrived());
    return value(std::move(*x->value));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(own_policies)

BOOST_FIXTURE_TEST_CASE(an_own_router_decides_and_its_decision_counts, team) {
  setup.policies.router = [](const auto&) {
    return policy_of<router_policy>([](const routing_case&) { return high_because("I say so"); });
  };
  start();
  auto result = say("Hello there");
  BOOST_TEST(to_string(result.urgency) == "high");
  BOOST_TEST(of_type("routing_decision").at(0)->content == "High urgency: I say so");
}

BOOST_FIXTURE_TEST_CASE(an_own_router_gets_everything_that_is_live, team) {
  std::set<std::string> types;
  setup.policies.router = [&](const auto&) {
    return policy_of<router_policy>([&](const routing_case& x) {
      for (const auto& one : x.live)
        types.insert(one->type);
      return high_because("I say so");
    });
  };
  start();
  add(as_daemon("clock"), draft("reminder", "Tea is ready", 0.9, {}));
  say("Hello there");
  BOOST_TEST(types.contains("reminder"));
  BOOST_TEST(types.contains("user_input"));
}

BOOST_FIXTURE_TEST_CASE(an_own_policy_may_leave_a_decision_to_the_built_in_one, team) {
  setup.policies.router = [](std::shared_ptr<router_policy> built_in) { return built_in; };
  start();
  BOOST_TEST(to_string(say("Hello there").urgency) == "low");
  BOOST_TEST(to_string(say("This is an emergency").urgency) == "high");
}

BOOST_FIXTURE_TEST_CASE(a_turn_waits_for_a_decision_that_takes_its_time, slow_team) {
  auto turn = begin("Hello there");
  BOOST_REQUIRE(asked.size() == 1u);
  advance(4s);
  BOOST_TEST(!turn->arrived());
  asked[0](high_because("the model says so"));
  settle();
  BOOST_TEST(to_string(result_of(turn).urgency) == "high");
  BOOST_TEST(traced("decide") == 0u);
}

BOOST_FIXTURE_TEST_CASE(decisions_about_several_turns_come_in_any_order, slow_team) {
  auto first = begin("Hello there");
  auto second = send(host->turns(), begin_turn{.thread_id = "another", .input = "Hello you"});
  settle();
  BOOST_REQUIRE(asked.size() == 2u);
  asked[1](high_because("the second"));
  settle();
  BOOST_TEST(second->arrived());
  BOOST_TEST(!first->arrived());
  asked[0](high_because("the first"));
  settle();
  BOOST_TEST(first->arrived());
}

BOOST_FIXTURE_TEST_CASE(the_built_in_policy_decides_when_the_own_one_is_late, slow_team) {
  auto turn = begin("Hello there");
  advance(5s);
  BOOST_TEST(to_string(result_of(turn).urgency) == "low");
  BOOST_TEST(traced("decide", "deadline_exceeded") == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_decision_that_comes_too_late_does_nothing, slow_team) {
  begin("Hello there");
  advance(5s);
  asked[0](high_because("too late"));
  settle();
  BOOST_TEST(of_type("routing_decision").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(the_built_in_policy_decides_at_once_when_the_callback_is_gone, slow_team) {
  auto begun = now();
  auto turn = begin("Hello there");
  asked.clear();
  settle();
  BOOST_TEST(to_string(result_of(turn).urgency) == "low");
  BOOST_TEST((now() == begun));
  BOOST_TEST(traced("decide", "internal") == 1u);
}

BOOST_FIXTURE_TEST_CASE(the_built_in_policy_decides_when_the_own_one_throws, team) {
  setup.policies.router = [](const auto&) { return std::make_shared<failing_router>(); };
  start();
  BOOST_TEST(to_string(say("Hello there").urgency) == "low");
  BOOST_TEST(traced("decide", "internal") == 1u);
}

BOOST_FIXTURE_TEST_CASE(an_own_clarifier_asks_the_user, team) {
  setup.policies.clarifier = [](const auto&) {
    return policy_of<clarifier_policy>([](const clarifying_case& x) {
      return std::vector{question{.text = "What is '" + x.input->content + "'?"}};
    });
  };
  start();
  auto result = say("the usual");
  BOOST_REQUIRE(result.questions.size() == 1u);
  BOOST_TEST(result.questions[0] == "What is 'the usual'?");
}

BOOST_FIXTURE_TEST_CASE(an_own_executor_policy_plans_a_turn_that_has_no_plan, team) {
  add_tool({.tool_id = "weather"}, {{.outputs = {{"celsius", 21}}}});
  setup.policies.executor = [](const auto&) {
    return policy_of<executor_policy>(
      [](const execution_case&) { return std::vector{planned_call{.tool_id = "weather"}}; });
  };
  start();
  auto result = say("How warm is it?");
  BOOST_TEST(to_string(result.status) == "complete");
  BOOST_TEST(of_type("tool_result").size() == 1u);
  BOOST_TEST(result.assessment.at("calls").as_array().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_plan_that_cannot_be_worked_leaves_the_turns_own, team) {
  add_tool({.tool_id = "weather"}, {{.outputs = {{"celsius", 21}}}});
  setup.policies.executor = [](const auto&) {
    return policy_of<executor_policy>([](const execution_case&) {
      planned_call x{.call_id = "itself", .tool_id = "weather", .depends_on = {"itself"}};
      return std::vector{x};
    });
  };
  start();
  say("How warm is it?", {call("weather")});
  BOOST_TEST(traced("plan", "invalid_request") == 1u);
  BOOST_TEST(of_type("tool_result").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(an_own_error_handler_plans_what_is_done_about_a_failure, team) {
  add_tool({.tool_id = "weather", .idempotent = true},
    {{.status = tool_status::error, .outputs = {{"error", "timed out"}}}});
  setup.policies.error_handler = [](const auto&) {
    return policy_of<error_handler_policy>([](const recovery_case& x) {
      return recovery{.action = recovery_action::escalate,
        .description = "Somebody has to look at " + x.what.tool_id,
        .confidence = 1};
    });
  };
  start();
  say("How warm is it?", {call("weather")});
  auto plans = of_type("recovery_plan");
  BOOST_REQUIRE(plans.size() == 1u);
  BOOST_TEST(plans[0]->content == "Somebody has to look at weather");
  BOOST_TEST(traced("tool_response") == 1u);
}

BOOST_FIXTURE_TEST_CASE(an_own_evaluator_says_how_a_turn_went, team) {
  setup.policies.evaluator = [](const auto&) {
    return policy_of<evaluator_policy>([](const evaluation_input&) {
      return evaluation{evaluation_outcome::more_work, 1, "There is more to do", {}, {}};
    });
  };
  start();
  BOOST_TEST(to_string(say("Hello there").status) == "more_work");
}

BOOST_FIXTURE_TEST_CASE(an_own_reflector_says_what_was_learned, team) {
  setup.policies.reflector = [](const auto&) {
    return policy_of<reflector_policy>([](const turn_story&) {
      return std::vector{turn_lesson{.type = "learning",
        .statement = "Ann says hello first",
        .confidence = 0.9,
        .fact_key = "hello"}};
    });
  };
  start();
  say("Hello there");
  auto known = facts();
  BOOST_REQUIRE(known.size() == 1u);
  BOOST_TEST(known[0].statement == "Ann says hello first");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
