#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// "A query never fails a decision: past its deadline it answers what it has"
/// (contract 3).

namespace scratchpage::test {

namespace {

/// A page with so many observations that a query reads the clock more than once.
struct much_to_search : page_fixture {
  much_to_search() {
    start();
    add_observations wines{as_daemon("planner"), {}};
    wines.drafts.assign(3000, note("A wine", {"wine"}));
    for (auto& x : wines.drafts)
      x.confidence = 0.52; // the index cannot answer: each is checked
    value(ask(page, std::move(wines)));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_text_query_out_of_time_answers_what_it_has, much_to_search) {
  page_clock->step = std::chrono::milliseconds{20};
  auto found = query(asking({}, "wine"));
  BOOST_TEST(found.partial);
  BOOST_TEST(found.observations.size() < 3000u);
  BOOST_TEST(found.query_time_ms > 0);
  auto entries = traced("query_observations", "partial");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(to_text(entries.front().detail.at("partial")) == "true");
  BOOST_TEST(entries.front().duration_ms > 0);
}

BOOST_FIXTURE_TEST_CASE(a_filter_out_of_time_answers_the_newest, much_to_search) {
  page_clock->step = std::chrono::milliseconds{60};
  auto found = query(asking({.min_confidence = 0.51}, "", 10));
  BOOST_TEST(found.partial);
  BOOST_TEST(numbers(found) == "3000 2999 2998 2997 2996 2995 2994 2993 2992 2991");
  BOOST_TEST(found.total_count > 0u);
  BOOST_TEST(found.total_count < 3000u);
  BOOST_TEST(traced("query_observations", "partial").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_callers_deadline_counts_before_the_configured_one, much_to_search) {
  page_clock->step = std::chrono::milliseconds{20};
  auto request = asking({.min_confidence = 0.51}, "wine");
  request.deadline = std::chrono::hours{1};
  auto found = query(request);
  BOOST_TEST(!found.partial);
  BOOST_TEST(found.total_count == 3000u);
  request.deadline = timespan{1};
  BOOST_TEST(query(request).partial);
}

BOOST_FIXTURE_TEST_CASE(in_time_the_answer_is_whole, much_to_search) {
  auto found = query(asking({}, "wine"));
  BOOST_TEST(!found.partial);
  BOOST_TEST(found.total_count == 3000u);
  BOOST_TEST(found.query_time_ms == 0);
  BOOST_TEST(traced("query_observations", "partial").empty());
}

BOOST_FIXTURE_TEST_CASE(after_a_partial_answer_the_next_one_is_whole, much_to_search) {
  page_clock->step = std::chrono::milliseconds{20};
  BOOST_TEST(query(asking({}, "wine")).partial);
  page_clock->step = {};
  auto found = query(asking({}, "wine"));
  BOOST_TEST(!found.partial);
  BOOST_TEST(found.total_count == 3000u);
}

} // namespace scratchpage::test
