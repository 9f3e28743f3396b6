#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/team.hpp"

/// Many requests for long lists of goals must not delay other work of the Frontal Cortex.

namespace scratchpage::test {

namespace {

list_goals list_for(std::string name) {
  list_goals result;
  result.by = as_daemon(std::move(name));
  result.by.outside = true;
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(goals_are_settled_before_those_outside_who_wait_are_told_of_them, team) {
  start();
  for (auto n = 0; n < 10; ++n)
    send(host->cortex(), list_for("asker"));
  auto last = send(host->cortex(), list_for("asker"));
  auto settled = send(host->cortex(), settle_goals{as_daemon("turns"), {}});
  auto own = send(host->cortex(), list_goals{.by = as_daemon("working_memory")});
  settle();
  BOOST_TEST(settled->arrived());
  BOOST_TEST(own->arrived());
  BOOST_TEST(!last->arrived());
  advance(std::chrono::milliseconds{1});
  BOOST_REQUIRE(last->arrived());
  BOOST_TEST(!!*last->value);
}

} // namespace scratchpage::test
