#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

call_plan made(std::vector<planned_call> calls) {
  auto plan = call_plan::make(std::move(calls));
  BOOST_REQUIRE(plan);
  return std::move(*plan);
}

std::string refusal_of(std::vector<planned_call> calls) {
  auto plan = call_plan::make(std::move(calls));
  return plan ? "accepted" : field_of(plan.error());
}

std::string ready(const call_plan& plan, size_t limit = 1) {
  std::string result;
  for (const auto* one : plan.ready(limit))
    result.append(result.empty() ? "" : " ").append(one->call_id);
  return result;
}

/// Starts and ends a call.
void run(call_plan& plan, std::string_view id, call_outcome outcome = call_outcome::succeeded) {
  BOOST_TEST(plan.started(id));
  BOOST_TEST(plan.ended(id, outcome));
}

} // namespace

BOOST_AUTO_TEST_SUITE(call_plans)

BOOST_AUTO_TEST_CASE(nameless_calls_are_named_by_their_place) {
  auto plan = made({call("", "a"), call("call_1", "b"), call("", "c")});
  BOOST_TEST(ready(plan, 3) == "call_2 call_1 call_3");
  BOOST_TEST(plan.calls()[0]->tool_id == "a");
}

BOOST_AUTO_TEST_CASE(what_a_plan_cannot_mean_is_refused_by_field) {
  BOOST_TEST(refusal_of({call("x", "a"), call("x", "b")}) == "plan[1].call_id");
  BOOST_TEST(refusal_of({call("x", "a", {"y"})}) == "plan[0].depends_on[0]");
  BOOST_TEST(refusal_of({call("x", "a"), call("y", "b", {"x"}, {"x", "z"})}) == "plan[1].after[1]");
  BOOST_TEST(refusal_of({call("x", "a", {"x"})}) == "plan[0].depends_on");
  BOOST_TEST(refusal_of({call("w", "a"), call("x", "a", {"w"}, {"y"}), call("y", "b", {"x"})})
             == "plan[1].after");
}

BOOST_AUTO_TEST_CASE(calls_run_one_after_the_other_in_order) {
  auto plan = made({call("a", "t"), call("b", "t")});
  BOOST_TEST(ready(plan) == "a");
  plan.started("a");
  BOOST_TEST(ready(plan) == "");
  plan.ended("a", call_outcome::succeeded);
  BOOST_TEST(ready(plan) == "b");
  run(plan, "b");
  BOOST_TEST(plan.finished());
}

BOOST_AUTO_TEST_CASE(independent_calls_run_in_parallel_up_to_the_limit) {
  auto plan = made({call("a", "t"), call("b", "t", {"a"}), call("c", "t"), call("d", "t")});
  BOOST_TEST(ready(plan, 2) == "a c");
  plan.started("a");
  plan.started("c");
  BOOST_TEST(ready(plan, 2) == "");
  plan.ended("a", call_outcome::succeeded);
  BOOST_TEST(ready(plan, 2) == "b");
  BOOST_TEST(ready(plan, 8) == "b d");
}

BOOST_AUTO_TEST_CASE(depends_on_needs_success_and_after_any_end) {
  auto plan = made({call("a", "t"), call("b", "t", {"a"}), call("c", "t", {}, {"a"})});
  run(plan, "a", call_outcome::failed);
  BOOST_TEST(listed(plan.take_skipped()) == "b");
  BOOST_TEST(ready(plan, 8) == "c");
}

BOOST_AUTO_TEST_CASE(dependents_of_a_failed_call_are_skipped_all_the_way_and_told_once) {
  auto plan =
    made({call("d", "t", {"c"}), call("a", "t"), call("b", "t", {"a"}), call("c", "t", {"b"})});
  run(plan, "a", call_outcome::failed);
  BOOST_TEST(listed(plan.take_skipped()) == "b c d");
  BOOST_TEST(plan.take_skipped().empty());
  BOOST_TEST(plan.finished());
  BOOST_TEST(plan.counts().skipped == 3u);
  BOOST_TEST(plan.counts().failed == 1u);
}

BOOST_AUTO_TEST_CASE(a_restart_revives_what_was_skipped_because_of_the_call) {
  auto plan = made({call("a", "t"), call("b", "t", {"a"}), call("c", "t", {"b"})});
  run(plan, "a", call_outcome::failed);
  plan.take_skipped();
  BOOST_TEST(plan.restart("a"));
  BOOST_TEST(!plan.finished());
  for (auto id : {"a", "b", "c"}) {
    BOOST_TEST(ready(plan, 8) == id);
    run(plan, id);
  }
  BOOST_TEST(plan.counts().succeeded == 3u);
}

BOOST_AUTO_TEST_CASE(a_restart_leaves_skipped_what_misses_another_call) {
  auto plan = made({call("a", "t"), call("b", "t"), call("c", "t", {"a", "b"})});
  run(plan, "a", call_outcome::failed);
  run(plan, "b", call_outcome::failed);
  BOOST_TEST(listed(plan.take_skipped()) == "c");
  plan.restart("a");
  BOOST_TEST(ready(plan, 8) == "a");
  BOOST_TEST(plan.take_skipped().empty());
  plan.restart("b");
  run(plan, "a");
  run(plan, "b");
  BOOST_TEST(ready(plan) == "c");
}

BOOST_AUTO_TEST_CASE(a_restart_does_not_revive_what_was_skipped_for_a_reason_of_its_own) {
  auto plan = made({call("a", "t"), call("b", "t", {"a"})});
  plan.ended("b", call_outcome::skipped);
  run(plan, "a", call_outcome::failed);
  plan.restart("a");
  run(plan, "a");
  BOOST_TEST(plan.finished());
}

BOOST_AUTO_TEST_CASE(only_a_call_that_failed_or_was_skipped_restarts) {
  auto plan = made({call("a", "t")});
  BOOST_TEST(!plan.restart("a"));
  run(plan, "a");
  BOOST_TEST(!plan.restart("a"));
  BOOST_TEST(!plan.restart("nobody"));
  BOOST_TEST(!plan.ended("a", call_outcome::failed));
}

BOOST_AUTO_TEST_CASE(another_tool_may_make_the_call) {
  auto plan = made({call("a", "t")});
  BOOST_TEST(plan.replace_tool("a", "u"));
  BOOST_TEST(plan.find("a")->tool_id == "u");
  BOOST_TEST(!plan.replace_tool("b", "u"));
}

BOOST_AUTO_TEST_CASE(what_goes_first_takes_along_what_it_waits_for) {
  auto plan = made({call("a", "book"), call("b", "search"), call("c", "verify", {"d"}),
    call("d", "log_in"), call("e", "verify")});
  plan.prioritise([](const planned_call& one) { return one.tool_id == "verify"; });
  for (auto id : {"d", "c", "e", "a", "b"}) {
    BOOST_TEST(ready(plan) == id);
    run(plan, id);
  }
}

BOOST_AUTO_TEST_CASE(a_call_has_failed_until_it_is_made_again) {
  auto plan = made({call("a", "pay"), call("b", "mail", {"a"})});
  BOOST_TEST(!plan.has_failed("a"));
  plan.started("a");
  plan.ended("a", call_outcome::failed);
  BOOST_TEST(plan.has_failed("a"));
  BOOST_TEST(!plan.has_failed("b")); // it was skipped
  BOOST_TEST(!plan.has_failed("c")); // there is none
  plan.restart("a");
  BOOST_TEST(!plan.has_failed("a"));
}

BOOST_AUTO_TEST_CASE(an_empty_plan_is_finished) {
  auto plan = made({});
  BOOST_TEST(plan.finished());
  BOOST_TEST(plan.ready(8).empty());
}

BOOST_AUTO_TEST_CASE(an_appended_call_waits_for_nothing_and_has_an_id_of_its_own) {
  auto plan = call_plan::make({call("", "search"), call("pay", "pay")});
  BOOST_REQUIRE(plan);
  BOOST_TEST(plan->append(call("", "weather", {"gone"}, {"gone"})) == "call_3");
  BOOST_TEST(plan->append(call("pay", "pay")) == "call_4");
  BOOST_TEST(plan->append(call("mail", "mail")) == "mail");
  BOOST_TEST(plan->ready(10).size() == 5u);
  BOOST_TEST(plan->find("call_3")->depends_on.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
