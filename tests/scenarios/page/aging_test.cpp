#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// The page moves old observations to the archive (contract 13).

namespace scratchpage::test {

namespace {

constexpr double month = 30 * 24 * 60; // in minutes
constexpr std::chrono::hours day{24};

struct old_page : page_fixture {
  old_page() { start(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  after_seven_days_without_a_change_it_is_archived, old_page, *label("SP_archive_age")) {
  add(lasting(month, note("first")));
  advance(day);
  add(lasting(month, note("second")));
  auto watcher = watch_page();
  advance(6 * day);
  BOOST_TEST(numbers(query(asking())) == "2 1");
  advance(std::chrono::hours{1});
  BOOST_TEST(numbers(query(asking())) == "2");
  BOOST_TEST(numbers(archive_list(with_status({status::archived}))) == "1");
  const std::vector<std::string> told{"3 archived 1"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(traced("archive_aged").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_change_makes_it_young_again, old_page, *label("SP_archive_age")) {
  add(lasting(month, note("first")));
  advance(6 * day);
  update(id(1), {.content = "changed"});
  advance(6 * day);
  BOOST_TEST(numbers(query(asking())) == "1");
  advance(2 * day);
  BOOST_TEST(numbers(query(asking())) == "");
}

BOOST_FIXTURE_TEST_CASE(
  what_may_not_be_evicted_stays_however_old, old_page, *label("SP_archive_age")) {
  add(lasting(month, draft("alert", "smoke")));
  add(lasting(month, draft("pending_confirmation", "really?")));
  add(lasting(month, note("evidence")));
  link("goal_1", {id(3)});
  advance(10 * day);
  BOOST_TEST(numbers(query(asking())) == "3 2 1");
  set_status(id(1), status::resolved);
  advance(8 * day);
  BOOST_TEST(numbers(query(asking(anything()))) == "3 2");
}

BOOST_FIXTURE_TEST_CASE(
  the_age_is_configurable_and_may_be_none, page_fixture, *label("SP_archive_age")) {
  setup.limits.archive_after_days = 1;
  start();
  add(lasting(month, note("first")));
  advance(25 * std::chrono::hours{1});
  BOOST_TEST(numbers(query(asking())) == "");
  setup.limits.archive_after_days = 0;
  page = start_page("patient", setup);
  add(lasting(month, note("first")));
  advance(20 * day);
  BOOST_TEST(numbers(query(asking())) == "1");
}

} // namespace scratchpage::test
