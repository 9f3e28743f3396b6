#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// A page whose wall clock is set forward by nearly a year, and back.

namespace scratchpage::test {

namespace {

constexpr std::chrono::hours year{350 * 24}; // less than the longest lifetime
constexpr std::chrono::hours day{24};
constexpr double a_year = 365 * 24 * 60; // in minutes

struct set_clock : page_fixture {
  set_clock() { start(); }

  void set_forward() {
    page_clock->set_by = year;
    advance(2 * day);
  }

  void set_back() {
    page_clock->set_by = {};
    advance(2 * day);
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_year_that_never_was_makes_nothing_old, set_clock, *label("SP_archive_age")) {
  add(lasting(a_year, note("first")));
  set_forward();
  BOOST_TEST(numbers(query(asking())) == "1");
  set_back();
  BOOST_TEST(numbers(query(asking())) == "1");
  advance(6 * day); // eight real days, which are too old
  BOOST_TEST(numbers(query(asking())) == "");
  BOOST_TEST(numbers(archive_list(with_status({status::archived}))) == "1");
}

BOOST_FIXTURE_TEST_CASE(what_has_a_deadline_ends_when_the_clock_says_so_and_is_in_the_archive,
  set_clock, *label("SP_expiry")) {
  add(lasting(30 * 24 * 60, note("a month")));
  set_forward();
  BOOST_TEST(numbers(query(asking())) == "");
  BOOST_TEST(numbers(archive_list(with_status({status::expired}))) == "1");
}

BOOST_FIXTURE_TEST_CASE(
  a_clock_that_is_right_again_before_anybody_looked_ends_nothing, set_clock, *label("SP_expiry")) {
  add(lasting(30 * 24 * 60, note("a month")));
  page_clock->set_by = year;
  BOOST_TEST(numbers(query(asking())) == ""); // expired by the clock
  page_clock->set_by = {};
  BOOST_TEST(numbers(query(asking())) == "1");
  advance(2 * day);
  BOOST_TEST(numbers(query(asking())) == "1");
}

BOOST_FIXTURE_TEST_CASE(
  nothing_new_bears_the_time_of_a_clock_that_was_ahead_once, set_clock, *label("SP_ids")) {
  auto first = add(lasting(a_year, note("first")));
  set_forward();
  auto ahead = add(lasting(a_year, note("second")));
  BOOST_TEST((ahead->created_at > first->created_at + year));
  set_back();
  auto next = add(lasting(a_year, note("third")));
  BOOST_TEST((next->created_at == to_milliseconds(now())));
  BOOST_TEST((next->created_at < ahead->created_at));
  BOOST_TEST(next->observation_id.ends_with("_003"));
  BOOST_TEST(numbers(query(asking())) == "3 2 1");
  observation_filter lately;
  lately.created_after = first->created_at;
  lately.created_before = ahead->created_at;
  BOOST_TEST(numbers(query(asking(lately))) == "3");
  BOOST_TEST((journal->kept.back().at == next->created_at));
}

BOOST_FIXTURE_TEST_CASE(what_storage_refused_is_offered_again_though_the_clock_was_set_back,
  set_clock, *label("SP_expiry")) {
  add(lasting(60, note("an hour")));
  journal->left = 0;
  advance(std::chrono::minutes{61});
  journal->left.reset();
  page_clock->set_by = -std::chrono::minutes{30};
  advance(std::chrono::hours{2});
  BOOST_TEST(numbers(archive_list(with_status({status::expired}))) == "1");
}

} // namespace scratchpage::test
