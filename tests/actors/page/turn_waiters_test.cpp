#define BOOST_TEST_MODULE turn_waiters
#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <vector>

#include "scratchpage/actors/page/turn_waiters.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// turn_waiters: who gets an answer when a turn is quiet, and what is removed with an actor that
/// ends before.

namespace scratchpage::test {

namespace {

/// Texts stand for answers and for the actors that wait for them.
struct waiters_fixture {
  turn_waiters<std::string, std::string> waiters;

  uint64_t add(const std::string& answer, const std::string& asker) {
    auto token = waiters.next_token();
    waiters.add(token, answer, asker);
    return token;
  }

  std::string admit(uint64_t token, quiet_stage stage, const std::string& holder = "evaluator") {
    return waiters.admit({holder, stage, token}).value_or("nobody");
  }
};

const std::set<std::string> nobody;

} // namespace

BOOST_FIXTURE_TEST_CASE(everybody_who_waits_is_answered_once, waiters_fixture) {
  auto first = add("a", "actor_1");
  auto second = add("b", "actor_2");
  BOOST_TEST(first != second);
  BOOST_TEST(admit(second, quiet_stage::ended) == "b");
  BOOST_TEST(admit(second, quiet_stage::ended) == "nobody");
  BOOST_TEST(admit(first, quiet_stage::ended) == "a");
}

BOOST_FIXTURE_TEST_CASE(whoever_waits_when_a_turn_ends_is_taken_out, waiters_fixture) {
  auto token = add("a", "actor_1");
  BOOST_TEST(waiters.take(token).value_or("nobody") == "a");
  BOOST_TEST(!waiters.take(token).has_value());
  BOOST_TEST(waiters.remove("actor_1").tokens.empty());
}

BOOST_FIXTURE_TEST_CASE(all_who_wait_for_the_page_are_answered_together, waiters_fixture) {
  BOOST_TEST(!waiters.is_anybody_waiting_for_page());
  waiters.add_for_page("a");
  waiters.add_for_page("b");
  BOOST_TEST(waiters.is_anybody_waiting_for_page());
  BOOST_TEST(waiters.take_for_page() == (std::vector<std::string>{"a", "b"}),
    boost::test_tools::per_element());
  BOOST_TEST(!waiters.is_anybody_waiting_for_page());
}

BOOST_FIXTURE_TEST_CASE(of_an_actor_that_ends_its_waiters_and_its_holds_are_left, waiters_fixture) {
  auto first = add("a", "actor_1");
  add("b", "actor_2");
  auto third = add("c", "actor_1");
  waiters.note_hold("actor_1", "executor");
  waiters.note_hold("actor_1", "executor");
  waiters.note_hold("actor_1", "evaluator");
  auto left = waiters.remove("actor_1");
  BOOST_TEST(left.tokens == (std::vector{first, third}), boost::test_tools::per_element());
  BOOST_TEST(left.holders == (std::set<std::string>{"evaluator", "executor"}),
    boost::test_tools::per_element());
  BOOST_TEST(admit(first, quiet_stage::ended) == "nobody");
  BOOST_TEST(waiters.remove("actor_1").holders == nobody, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(who_is_let_into_a_stage_with_a_hold_holds_the_turn, waiters_fixture) {
  for (auto stage : {quiet_stage::worked, quiet_stage::executed}) {
    admit(add("a", "actor_1"), stage, "evaluator");
    BOOST_TEST(waiters.remove("actor_1").holders == std::set<std::string>{"evaluator"},
      boost::test_tools::per_element());
  }
  for (auto stage : {quiet_stage::started, quiet_stage::ended}) {
    admit(add("a", "actor_1"), stage, "evaluator");
    BOOST_TEST(waiters.remove("actor_1").holders == nobody, boost::test_tools::per_element());
  }
}

BOOST_FIXTURE_TEST_CASE(a_hold_of_nobody_is_not_remembered, waiters_fixture) {
  BOOST_TEST(admit(add("a", ""), quiet_stage::worked) == "a");
  BOOST_TEST(waiters.remove("").holders == nobody, boost::test_tools::per_element());
}

} // namespace scratchpage::test
