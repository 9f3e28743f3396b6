#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// "An expired observation is never served" (contract 2).

namespace scratchpage::test {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

/// A page on which observation 1 lives for ten minutes, and 2 for an hour. Tests set `page_clock`
/// ahead, so that 1 has expired before any timer fires.
struct short_lived : page_fixture {
  short_lived() {
    start();
    add(lasting(10, note("short lived", {"wine"})), as_tool("cellar"));
    add(lasting(60, note("long lived", {"wine"})), as_tool("cellar"));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(it_is_served_until_a_millisecond_before_its_end, short_lived) {
  advance(minutes{10} - milliseconds{1});
  BOOST_TEST(static_cast<bool>(get(id(1))));
  BOOST_TEST(numbers(query(asking())) == "2 1");
}

BOOST_FIXTURE_TEST_CASE(it_is_not_served_in_the_instant_before_the_timer, short_lived) {
  page_clock->ahead = minutes{10};
  BOOST_TEST(!get(id(1)));
  for (auto* text : {"", "lived"}) {
    for (const auto& filter : {observation_filter{}, with_tags({"wine"}), anything()}) {
      auto found = query(asking(filter, text));
      BOOST_TEST(numbers(found) == "2");
      BOOST_TEST(found.total_count == 1u);
    }
  }
  auto active = value(ask(page, get_active_observations{as_daemon("reader")}));
  BOOST_TEST(numbers(active.observations) == "2");
  BOOST_TEST(stats().expired == 0u); // no timer has fired
}

BOOST_FIXTURE_TEST_CASE(it_is_not_changed_in_the_instant_before_the_timer, short_lived) {
  page_clock->ahead = minutes{10};
  auto sequence = stats().sequence;
  auto by = as_daemon("planner");
  BOOST_CHECK(refused(try_update(id(1), {.ttl_minutes = 100}), errc::not_found, "observation_id"));
  BOOST_CHECK(
    refused(ask(page, archive_observation{by, id(1)}), errc::not_found, "observation_id"));
  BOOST_CHECK(refused(try_clear({id(1)}), errc::not_found, "observation_ids"));
  auto linked = value(ask(page, link_observations{by, "goal_1", {id(1), id(2)}}));
  BOOST_TEST(linked.observation_ids == std::vector{id(2)}, boost::test_tools::per_element());
  BOOST_TEST(stats().sequence == sequence + 1);
}

BOOST_FIXTURE_TEST_CASE(it_contradicts_nothing_in_the_instant_before_the_timer, page_fixture) {
  start();
  auto claim = [](double ttl, std::string content) {
    auto x = lasting(ttl, note(std::move(content)));
    x.metadata["key"] = "price";
    return x;
  };
  add(claim(10, "It costs 10"));
  add(claim(60, "It costs 20"));
  BOOST_TEST(query(asking()).conflicts.size() == 1u);
  page_clock->ahead = minutes{10};
  BOOST_TEST(query(asking()).conflicts.empty());
}

BOOST_FIXTURE_TEST_CASE(a_page_of_a_ranked_answer_leaves_out_what_has_expired, short_lived) {
  add(lasting(60, note("lived and lived")));
  auto first = query(asking({}, "lived", 1));
  page_clock->ahead = minutes{10};
  auto request = asking({}, "lived", 10);
  request.cursor = first.next_cursor;
  BOOST_TEST(numbers(first) == "3");
  BOOST_TEST(numbers(query(request)) == "2");
}

BOOST_FIXTURE_TEST_CASE(the_timer_tells_everybody_whom_it_concerned, short_lived) {
  auto all = watch_page();
  auto of_its_tag = watch_page(with_tags({"wine"}));
  auto active_only = watch_page(with_status({status::active}));
  auto of_others = watch_page(with_tags({"beer"}));
  advance(minutes{10});
  const std::vector<std::string> told{"3 expired 1"};
  for (const auto* one : {&all, &of_its_tag, &active_only})
    BOOST_TEST(one->lines() == told, boost::test_tools::per_element());
  BOOST_TEST(of_others.lines().empty());
  BOOST_TEST(to_string(all.log->events.front().observation->status) == "expired");
  BOOST_TEST(numbers(archive_list(with_status({status::expired}))) == "1");
  BOOST_TEST(stats().expired == 1u);
  BOOST_TEST(stats().observations == 1u);
  BOOST_TEST(traced("expire").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(what_was_resolved_expires_too, short_lived) {
  set_status(id(1), status::resolved);
  auto resolved_only = watch_page(with_status({status::resolved}));
  advance(minutes{10});
  BOOST_TEST(resolved_only.lines() == std::vector<std::string>{"4 expired 1"},
    boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(no_lifetime_at_all_is_never_served, page_fixture) {
  start();
  auto watcher = watch_page();
  add(lasting(0, note("gone")));
  BOOST_TEST(!get(id(1)));
  BOOST_TEST(query(asking()).total_count == 0u);
  advance(timespan{0});
  const std::vector<std::string> told{"1 added 1", "2 expired 1"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_new_lifetime_counts_and_the_old_one_does_not, short_lived) {
  advance(minutes{9});
  update(id(1), {.ttl_minutes = 10});
  advance(minutes{9});
  BOOST_TEST(static_cast<bool>(get(id(1))));
  advance(minutes{1});
  BOOST_TEST(!get(id(1)));
  BOOST_TEST(stats().expired == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_shorter_lifetime_brings_the_end_forward, short_lived) {
  update(id(2), {.ttl_minutes = 5});
  advance(minutes{5});
  BOOST_TEST(numbers(archive_list()) == "2");
  advance(minutes{5});
  BOOST_TEST(numbers(archive_list()) == "1 2");
}

BOOST_FIXTURE_TEST_CASE(many_that_end_at_once_end_in_the_order_of_their_ends, page_fixture) {
  setup.limits.expiry_chunk = 3;
  start();
  for (auto ttl : {12, 10, 11, 10, 10, 13, 10, 10})
    add(lasting(ttl, note("x")));
  auto watcher = watch_page();
  page_clock->ahead = minutes{20};
  advance(minutes{10});
  const std::vector<std::string> told{"9 expired 2", "10 expired 4", "11 expired 5", "12 expired 7",
    "13 expired 8", "14 expired 3", "15 expired 1", "16 expired 6"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(stats().observations == 0u);
  BOOST_TEST(journal->is_gapless());
}

BOOST_FIXTURE_TEST_CASE(an_id_of_what_expired_stays_unknown_without_an_error, short_lived) {
  advance(minutes{10});
  BOOST_TEST(!get(id(1)));
  BOOST_TEST(!get("obs_20251105_042"));
  BOOST_TEST(!get(""));
  BOOST_TEST(!get("nonsense"));
}

} // namespace scratchpage::test
