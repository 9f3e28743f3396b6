#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

observation_draft lasting(double ttl_minutes) {
  auto x = draft("error_alert", "Tool X failed", 0.99, {"error"});
  x.ttl_minutes = ttl_minutes;
  return x;
}

struct timed_page : one_page {
  bool is_there() {
    auto found = query(error_handler_in(), tagged({"error"})).observations.size() == 1;
    BOOST_TEST(found == !!get("obs_20251105_001"));
    auto live = team::value(ask(page, get_active_observations{error_handler_in()}));
    BOOST_TEST(found == !live.observations.empty());
    return found;
  }
};

} // namespace

// -- scenario 6: expiry ---------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  an_observation_leaves_the_page_when_its_time_has_come, timed_page, *label("DS_6")) {
  auto x = add(executor_in(), lasting(1)).observation;
  BOOST_TEST(to_rfc3339(x->created_at) == "2025-11-05T10:00:00.000Z");
  BOOST_TEST(to_rfc3339(x->expires_at) == "2025-11-05T10:01:00.000Z");
  BOOST_TEST(is_there());
  advance(seconds{30});
  BOOST_TEST(is_there());
  BOOST_TEST(entries_of(*trace, "expire").empty());
  advance(seconds{31});
  BOOST_TEST(!is_there());
  BOOST_TEST(stats().observations == 0u);

  auto entries = entries_about(*trace, "expire", x->observation_id);
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(entries[0].component == "scratch_page");
  BOOST_TEST(detail_of(entries[0], "event") == "expired");
  BOOST_TEST(to_rfc3339(entries[0].at) == "2025-11-05T10:01:00.000Z");

  auto kept = in_archive();
  BOOST_REQUIRE(kept.size() == 1u);
  BOOST_TEST(kept[0]->observation_id == x->observation_id);
  BOOST_TEST(to_string(kept[0]->status) == "expired");
}

BOOST_FIXTURE_TEST_CASE(a_ttl_of_nought_expires_at_once, timed_page, *label("DS_6_e1")) {
  auto stored = add(executor_in(), lasting(0));
  BOOST_TEST(stored.warnings.empty());
  BOOST_TEST(to_rfc3339(stored.observation->expires_at) == "2025-11-05T10:00:00.000Z");
  BOOST_TEST(!is_there());
  advance(timespan{0}); // lets the page's timer run
  BOOST_TEST(!is_there());
  BOOST_TEST(entries_about(*trace, "expire", stored.observation->observation_id).size() == 1u);
  BOOST_TEST(in_archive().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_ttl_of_seven_days_lasts_seven_days, timed_page, *label("DS_6_e2")) {
  auto x = add(executor_in(), lasting(10'080)).observation;
  BOOST_TEST(to_rfc3339(x->expires_at) == "2025-11-12T10:00:00.000Z");
  advance(std::chrono::hours{7 * 24} - milliseconds{1});
  BOOST_TEST(is_there());
  advance(milliseconds{1});
  BOOST_TEST(!is_there());
  auto entries = entries_about(*trace, "expire", x->observation_id);
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(to_rfc3339(entries[0].at) == "2025-11-12T10:00:00.000Z");
}

BOOST_FIXTURE_TEST_CASE(at_the_very_moment_of_its_end_it_is_gone, timed_page, *label("DS_6_e3")) {
  add(executor_in(), lasting(1));
  advance(seconds{60} - milliseconds{1});
  BOOST_TEST(is_there());
  advance(milliseconds{1});
  BOOST_TEST(!is_there());
}

BOOST_FIXTURE_TEST_CASE(
  it_is_not_served_even_before_the_timer_has_run, timed_page, *label("DS_6_e3")) {
  auto now = std::make_shared<hand_clock>(driver.now());
  open(now);
  add(executor_in(), lasting(1));
  now->move(seconds{60} - milliseconds{1});
  BOOST_TEST(is_there());
  now->move(milliseconds{1});
  BOOST_TEST(!is_there());
  BOOST_TEST(entries_of(*trace, "expire").empty());
  auto changed = ask(page,
    update_observation{
      .by = executor_in(), .observation_id = "obs_20251105_001", .changes = {.confidence = 0.5}});
  BOOST_REQUIRE(!changed);
  BOOST_TEST(to_string(code_of(changed.error())) == "not_found");
}

} // namespace scratchpage::test
