#define BOOST_TEST_MODULE observation_ids
#include <boost/test/unit_test.hpp>

#include <chrono>

#include "scratchpage/actors/page/observation_ids.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

const auto noon = *from_rfc3339("2025-11-05T12:00:00Z");

} // namespace

BOOST_AUTO_TEST_CASE(an_id_has_the_day_and_the_number) {
  observation_ids ids;
  BOOST_TEST(ids.next(noon) == "obs_20251105_001");
  BOOST_TEST(ids.take() == 1u);
  BOOST_TEST(ids.next(noon) == "obs_20251105_002");
}

BOOST_AUTO_TEST_CASE(a_number_is_free_until_it_is_taken) {
  observation_ids ids;
  ids.next(noon);
  BOOST_TEST(ids.next(noon) == "obs_20251105_001");
}

BOOST_AUTO_TEST_CASE(the_day_follows_the_clock_in_both_directions) {
  observation_ids ids;
  BOOST_TEST(ids.next(noon) == "obs_20251105_001");
  BOOST_TEST(ids.next(noon + 12h) == "obs_20251106_001");
  BOOST_TEST(ids.next(noon + 12h - 1ns) == "obs_20251105_001");
}

BOOST_AUTO_TEST_CASE(numbers_go_on_after_those_of_the_history) {
  observation_ids ids;
  ids.begin_after(1'234);
  BOOST_TEST(ids.next(noon) == "obs_20251105_1235");
  ids.take();
  ids.give_back();
  BOOST_TEST(ids.take() == 1'235u);
}

BOOST_AUTO_TEST_CASE(numbers_of_observations_that_never_came_to_be_are_given_again) {
  observation_ids ids;
  ids.note_applied(ids.take());
  ids.take();
  ids.take();
  ids.give_back();
  BOOST_TEST(ids.take() == 2u);
}

} // namespace scratchpage::test
