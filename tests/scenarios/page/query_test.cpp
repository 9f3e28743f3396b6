#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Order, text search and limits of queries (contract 3).

namespace scratchpage::test {

namespace {

observation_draft sure(double confidence, observation_draft x) {
  x.confidence = confidence;
  return x;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(the_newest_comes_first_ten_unless_told_otherwise, page_fixture) {
  start();
  for (int i = 0; i < 12; ++i)
    add(note("x"));
  query_observations request;
  request.by = as_daemon("reader");
  auto found = query(request);
  BOOST_TEST(numbers(found) == "12 11 10 9 8 7 6 5 4 3");
  BOOST_TEST(found.total_count == 12u);
  BOOST_TEST(found.next_cursor != "");
  BOOST_TEST(!found.partial);
}

BOOST_FIXTURE_TEST_CASE(a_limit_is_1_to_1000, page_fixture) {
  start();
  add(note("one train"));
  add(note("two trains"));
  for (auto* text : {"", "train"}) {
    for (auto limit : {0u, 1001u, UINT32_MAX})
      BOOST_CHECK(refused(ask(page, asking({}, text, limit)), errc::invalid_request, "limit"));
    BOOST_TEST(query(asking({}, text, 1)).observations.size() == 1u);
    BOOST_TEST(query(asking({}, text, 1)).total_count == 2u);
    BOOST_TEST(query(asking({}, text, 1000)).observations.size() == 2u);
  }
  BOOST_TEST(traced("query_observations", "invalid_request").size() == 6u);
}

BOOST_FIXTURE_TEST_CASE(a_text_alone_selects, page_fixture) {
  start();
  add(note("Burgundy is a wine"));
  add(note("The train leaves at ten"));
  add(note("Wines of the Loire"));
  auto found = query(asking({}, "wine"));
  BOOST_TEST(found.observations.size() == 2u);
  BOOST_TEST(found.total_count == 2u);
  BOOST_TEST(query(asking({}, "beer")).observations.empty());
  BOOST_TEST(query(asking({}, "beer")).total_count == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_text_with_a_filter_ranks, page_fixture) {
  start();
  add(note("The payment failed", {"error"}));
  add(note("A timeout in the timetable", {"error"}));
  add(note("Another timeout", {"note"}));
  add(note("Disk full", {"error"}));
  auto all = query(asking(with_tags({"error"}), "What errors occurred in this turn?"));
  BOOST_TEST(all.total_count == 3u);
  BOOST_TEST(all.observations.size() == 3u);
  BOOST_TEST(numbers(query(asking(with_tags({"error"}), "timeout"))) == "2 4 1");
  BOOST_TEST(numbers(query(asking(with_tags({"error"}), "nothing like it"))) == "4 2 1");
}

BOOST_FIXTURE_TEST_CASE(relevance_comes_before_age_and_age_decides_among_equals, page_fixture) {
  start();
  add(note("red wine from Burgundy"));
  add(note("red apples"));
  add(note("red bricks"));
  add(note("white paper"));
  BOOST_TEST(numbers(query(asking({}, "red Burgundy"))) == "1 3 2");
}

BOOST_FIXTURE_TEST_CASE(a_blank_text_is_no_text, page_fixture) {
  start();
  add(note("one"));
  add(note("two"));
  BOOST_TEST(numbers(query(asking({}, " \n"))) == "2 1");
}

BOOST_FIXTURE_TEST_CASE(only_live_ones_unless_asked_for_others, page_fixture) {
  start();
  for (auto* content : {"active", "under review", "resolved", "archived"})
    add(note(content));
  set_status(id(2), status::pending_review);
  set_status(id(3), status::resolved);
  archive(id(4));
  BOOST_TEST(numbers(query(asking())) == "2 1");
  BOOST_TEST(query(asking()).total_count == 2u);
  BOOST_TEST(numbers(query(asking(with_status({status::resolved})))) == "3");
  BOOST_TEST(numbers(query(asking(with_status({status::active, status::resolved})))) == "3 1");
  BOOST_TEST(numbers(query(asking(with_status({status::archived})))) == "");
}

BOOST_FIXTURE_TEST_CASE(active_ones_come_by_type_then_confidence_then_age, page_fixture) {
  start();
  add(sure(0.9, draft("tool_result", "1")));
  add(sure(0.2, draft("security_alert", "2")));
  add(sure(0.5, draft("reminder", "3")));
  add(sure(0.8, draft("reminder", "4")));
  add(sure(0.5, draft("reminder", "5")));
  add(sure(1.0, draft("security_alert", "6")));
  set_status(id(6), status::resolved);
  auto active = value(ask(page, get_active_observations{as_daemon("router")}));
  BOOST_TEST(numbers(active.observations) == "2 4 5 3 1");
}

BOOST_FIXTURE_TEST_CASE(queries_change_nothing, page_fixture) {
  start();
  add(note("one wine"));
  add(note("two wines"));
  auto watcher = watch_page();
  advance(std::chrono::seconds{1}); // the texts are indexed
  auto before = stats();
  query(asking({}, "wine", 1));
  query(asking());
  get(id(1));
  value(ask(page, get_active_observations{as_daemon("router")}));
  archive_list();
  BOOST_TEST(to_text(to_json(stats())) == to_text(to_json(before)));
  BOOST_TEST(journal->kept.size() == 2u);
  BOOST_TEST(watcher.lines().empty());
  BOOST_TEST(traced("query_observations", "success").size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(new_texts_are_indexed_before_anybody_asks_for_a_text, page_fixture) {
  start();
  add_observations wines{as_daemon("planner"), {}};
  wines.drafts.assign(400, note("A wine"));
  value(ask(page, std::move(wines)));
  auto hurried = asking({}, "wine", 10);
  hurried.deadline = timespan{0};
  BOOST_TEST(query(hurried).partial); // the query indexes as many as it has time for
  advance(std::chrono::milliseconds{25});
  auto answer = query(hurried);
  BOOST_TEST(!answer.partial);
  BOOST_TEST(answer.total_count == 400u);
}

} // namespace scratchpage::test
