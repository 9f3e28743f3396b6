#include <boost/test/unit_test.hpp>

#include <chrono>

#include "scratchpage/runtime/cluster/store_time.hpp"

/// What time it is for all nodes.

namespace scratchpage::cluster {

namespace {

using namespace std::chrono_literals;

constexpr timestamp noon{std::chrono::hours{24 * 365 * 55 + 12}};

} // namespace

BOOST_AUTO_TEST_SUITE(time_of_the_store)

BOOST_AUTO_TEST_CASE(the_first_answer_sets_it_in_the_middle_of_its_round_trip) {
  store_time time;
  BOOST_TEST(!time.is_known());
  time.note(10s, noon, 12s);
  BOOST_TEST(time.is_known());
  BOOST_TEST((time.at(12s) == noon + 1s));
  BOOST_TEST((time.at(20s) == noon + 9s));
}

BOOST_AUTO_TEST_CASE(an_answer_that_fits_changes_nothing) {
  store_time time;
  time.note(10s, noon, 10s);
  time.note(20s, noon + 12s, 24s); // the store's clock stood at ten seconds, or at fourteen
  BOOST_TEST((time.at(30s) == noon + 20s));
  BOOST_TEST((time.error() == 0s));
}

BOOST_AUTO_TEST_CASE(it_catches_up_with_a_clock_that_was_set_forward_without_a_jump) {
  store_time time;
  time.note(0s, noon, 0s);
  time.note(10s, noon + 11s, 10s);
  BOOST_TEST((time.error() == -1s));
  BOOST_TEST((time.at(10s) == noon + 10s));
  BOOST_TEST((time.at(20s) == noon + 20'500ms));
  BOOST_TEST((time.at(30s) == noon + 31s));
  BOOST_TEST((time.at(40s) == noon + 41s));
}

BOOST_AUTO_TEST_CASE(it_waits_for_a_clock_that_was_set_back_and_never_goes_back_itself) {
  store_time time;
  time.note(0s, noon, 0s);
  BOOST_TEST((time.at(10s) == noon + 10s));
  time.note(10s, noon + 9s, 10s);
  auto before = time.at(10s);
  for (timespan local = 10s; local <= 40s; local += 100ms) {
    auto now = time.at(local);
    BOOST_TEST((now >= before));
    before = now;
  }
  BOOST_TEST((before == noon + 39s));
}

BOOST_AUTO_TEST_CASE(answers_in_the_middle_of_a_correction_go_on_with_it) {
  store_time time;
  time.note(0s, noon, 0s);
  time.note(10s, noon + 11s, 10s);
  time.note(20s, noon + 21s, 20s);
  BOOST_TEST((time.error() == -500ms));
  BOOST_TEST((time.at(30s) == noon + 31s));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::cluster
