#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/daemons/deciding_daemon.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(awaited_decisions)

BOOST_AUTO_TEST_CASE(the_first_decision_counts) {
  awaited_decision<int> awaited;
  awaited.put(1);
  awaited.put(2);
  BOOST_TEST((awaited.take() == 1));
}

BOOST_AUTO_TEST_CASE(a_decision_is_taken_once) {
  awaited_decision<int> awaited;
  awaited.put(1);
  awaited.take();
  BOOST_TEST(!awaited.take());
}

BOOST_AUTO_TEST_CASE(whoever_waits_is_told_when_the_decision_comes) {
  awaited_decision<int> awaited;
  auto told = 0;
  awaited.when_over([&] { ++told; });
  BOOST_TEST(told == 0);
  awaited.put(1);
  awaited.put(2);
  BOOST_TEST(told == 1);
}

BOOST_AUTO_TEST_CASE(whoever_waits_for_a_decision_that_is_there_is_told_at_once) {
  awaited_decision<int> awaited;
  awaited.put(1);
  auto told = 0;
  awaited.when_over([&] { ++told; });
  BOOST_TEST(told == 1);
  BOOST_TEST((awaited.take() == 1));
}

BOOST_AUTO_TEST_CASE(no_decision_ends_the_waiting_as_well) {
  awaited_decision<int> awaited;
  auto told = 0;
  awaited.when_over([&] { ++told; });
  awaited.put(std::nullopt);
  BOOST_TEST(told == 1);
  BOOST_TEST(!awaited.take());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
