#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// `clear_resolved` and `archive_observation` (contract 3).

namespace scratchpage::test {

namespace {

/// A page on which observations 1 and 2 are resolved, and 3 is active.
struct partly_resolved : page_fixture {
  partly_resolved() {
    start();
    for (auto* content : {"first", "second", "third"})
      add(note(content));
    set_status(id(1), status::resolved);
    set_status(id(2), status::resolved);
  }

  std::string on_page() { return numbers(query(asking(anything()))); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(what_is_resolved_is_cleared_together, partly_resolved) {
  auto watcher = watch_page();
  BOOST_TEST(static_cast<bool>(try_clear({id(1), id(2)})));
  BOOST_TEST(on_page() == "3");
  BOOST_TEST(numbers(archive_list(with_status({status::archived}))) == "2 1");
  const std::vector<std::string> told{"6 archived 1", "7 archived 2"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(one_that_is_not_resolved_refuses_the_whole_call, partly_resolved) {
  auto sequence = stats().sequence;
  for (const auto& ids : {std::vector{id(1), id(3), id(2)}, {id(3)}})
    BOOST_CHECK(refused(try_clear(ids), errc::invalid_transition, "observation_ids"));
  BOOST_CHECK(refused(try_clear({id(1), id(9)}), errc::not_found, "observation_ids"));
  BOOST_TEST(on_page() == "3 2 1");
  BOOST_TEST(stats().sequence == sequence);
  BOOST_TEST(archive_list().observations.empty());
  BOOST_TEST(traced("clear_resolved", "invalid_transition").size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(one_that_is_named_twice_is_cleared_once, partly_resolved) {
  auto sequence = stats().sequence;
  BOOST_TEST(static_cast<bool>(try_clear({id(1), id(1)})));
  BOOST_TEST(on_page() == "3 2");
  BOOST_TEST(stats().sequence == sequence + 1);
}

BOOST_FIXTURE_TEST_CASE(clearing_nothing_changes_nothing, partly_resolved) {
  auto sequence = stats().sequence;
  BOOST_TEST(static_cast<bool>(try_clear({})));
  BOOST_TEST(stats().sequence == sequence);
}

BOOST_FIXTURE_TEST_CASE(archiving_what_is_unknown_is_refused, partly_resolved) {
  for (const auto& unknown : {id(4), std::string{}, std::string{"obs_20251105_1"},
         std::string{"nonsense"}, std::string{"obs_20251105_99999999999999999999999"}})
    BOOST_CHECK(refused(ask(page, archive_observation{as_daemon("planner"), unknown}),
      errc::not_found, "observation_id"));
}

BOOST_FIXTURE_TEST_CASE(the_archive_answers_filters_limits_and_cursors, partly_resolved) {
  for (unsigned i = 1; i <= 3; ++i)
    archive(id(i));
  auto by = as_daemon("reader");
  auto first = value(ask(page, list_archive{by, {}, 2, {}}));
  BOOST_TEST(numbers(first) == "3 2");
  BOOST_TEST(first.total_count == 3u);
  add(lasting(0, note("fourth")));
  advance(std::chrono::seconds{1});
  auto second = value(ask(page, list_archive{by, {}, 2, first.next_cursor}));
  BOOST_TEST(numbers(second) == "1");
  BOOST_TEST(second.next_cursor == "");
  BOOST_TEST(numbers(archive_list(with_status({status::expired}))) == "4");
  for (auto limit : {0u, 1001u})
    BOOST_CHECK(
      refused(ask(page, list_archive{by, {}, limit, {}}), errc::invalid_request, "limit"));
  BOOST_CHECK(
    refused(ask(page, list_archive{by, {}, 10, "forged"}), errc::invalid_request, "cursor"));
}

} // namespace scratchpage::test
