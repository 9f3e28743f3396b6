#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Cursors page through a query's answer "without loss or repetition while others write"
/// (contract 3).

namespace scratchpage::test {

namespace {

struct many_notes : page_fixture {
  void add_wines(int count) {
    for (; count > 0; --count)
      add(note("A wine", {"wine"}));
  }

  query_result next(query_observations request, const query_result& before) {
    request.cursor = before.next_cursor;
    return query(std::move(request));
  }

  auto refused_cursor(query_observations request, std::string cursor) {
    request.cursor = std::move(cursor);
    return refused(ask(page, std::move(request)), errc::invalid_request, "cursor");
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(pages_join_without_a_gap, many_notes, *label("SP_pagination")) {
  start();
  add_wines(7);
  for (const auto& request :
    {asking({}, "", 3), asking({}, "wine", 3), asking(with_tags({"wine"}), "wine", 3)}) {
    auto first = query(request);
    auto second = next(request, first);
    auto third = next(request, second);
    BOOST_TEST(numbers(first) == "7 6 5");
    BOOST_TEST(numbers(second) == "4 3 2");
    BOOST_TEST(numbers(third) == "1");
    BOOST_TEST(third.next_cursor == "");
    for (const auto* one : {&first, &second, &third})
      BOOST_TEST(one->total_count == 7u);
  }
}

BOOST_FIXTURE_TEST_CASE(
  the_last_page_may_be_full_and_has_no_cursor, many_notes, *label("SP_pagination")) {
  start();
  add_wines(4);
  for (auto* text : {"", "wine"}) {
    auto request = asking({}, text, 2);
    auto last = next(request, query(request));
    BOOST_TEST(numbers(last) == "2 1");
    BOOST_TEST(last.next_cursor == "");
  }
}

BOOST_FIXTURE_TEST_CASE(
  others_write_and_nothing_is_lost_or_told_twice, many_notes, *label("SP_pagination")) {
  start();
  add_wines(6);
  auto request = asking({}, "", 2);
  auto first = query(request);
  add_wines(2);
  archive(id(5)); // already on the first page
  archive(id(4)); // not on a page yet
  update(id(3), {.content = "Another wine"});
  auto second = next(request, first);
  set_status(id(2), status::resolved);
  auto third = next(request, second);
  BOOST_TEST(numbers(first) == "6 5");
  BOOST_TEST(numbers(second) == "3 2");
  BOOST_TEST(numbers(third) == "1");
  BOOST_TEST(third.next_cursor == "");
}

BOOST_FIXTURE_TEST_CASE(
  others_write_and_a_ranked_answer_keeps_its_order, many_notes, *label("SP_pagination")) {
  start();
  add(note("wine wine wine"));
  add(note("wine and bread"));
  add(note("wine, bread and cheese"));
  add(note("wine, bread, cheese and apples"));
  auto request = asking({}, "wine", 1);
  auto whole = numbers(query(asking({}, "wine")));
  auto first = query(request);
  add(note("wine wine wine wine")); // would come first in a new query
  auto second = next(request, first);
  archive(second.observations.front()->observation_id);
  auto third = next(request, second);
  auto fourth = next(request, third);
  BOOST_TEST(
    numbers(first) + " " + numbers(second) + " " + numbers(third) + " " + numbers(fourth) == whole);
  BOOST_TEST(fourth.next_cursor == "");
}

BOOST_FIXTURE_TEST_CASE(
  a_ranked_page_holds_only_what_still_matches, many_notes, *label("SP_pagination")) {
  start();
  add_wines(5);
  auto request = asking(with_tags({"wine"}), "wine", 2);
  auto first = query(request);
  set_status(id(3), status::resolved); // no longer matches
  update(id(2), {.tags = std::vector<std::string>{"beer"}});
  auto second = next(request, first);
  BOOST_TEST(numbers(first) == "5 4");
  BOOST_TEST(numbers(second) == "1");
}

BOOST_FIXTURE_TEST_CASE(each_reader_has_a_place_of_its_own, many_notes, *label("SP_pagination")) {
  start();
  add_wines(4);
  auto request = asking({}, "wine", 1);
  auto one = query(request);
  auto other = next(request, query(request));
  BOOST_TEST(numbers(next(request, one)) == "3");
  BOOST_TEST(numbers(next(request, one)) == "3"); // the same cursor again
  BOOST_TEST(numbers(next(request, other)) == "2");
}

BOOST_FIXTURE_TEST_CASE(a_forged_cursor_is_refused, many_notes, *label("SP_pagination")) {
  start();
  add_wines(4);
  for (auto* forged : {"x", "n", "n0", "n-1", "n1;", "r1", "r9o0", "r18446744073709551615o0"})
    for (auto* text : {"", "wine"})
      BOOST_CHECK_MESSAGE(refused_cursor(asking({}, text), forged), forged);
  BOOST_TEST(traced("query_observations", "invalid_request").size() == 16u);
}

BOOST_FIXTURE_TEST_CASE(
  a_cursor_of_another_kind_of_query_is_refused, many_notes, *label("SP_pagination")) {
  start();
  add_wines(4);
  auto newest_first = query(asking({}, "", 1)).next_cursor;
  auto ranked = query(asking({}, "wine", 1)).next_cursor;
  BOOST_CHECK(refused_cursor(asking({}, "wine", 1), newest_first));
  BOOST_CHECK(refused_cursor(asking({}, "", 1), ranked));
}

BOOST_FIXTURE_TEST_CASE(
  an_order_that_was_forgotten_is_refused, many_notes, *label("SP_pagination")) {
  setup.limits.ranked_cursors = 2;
  start();
  add_wines(4);
  auto request = asking({}, "wine", 1);
  auto oldest = query(request).next_cursor;
  auto second = query(request).next_cursor;
  auto third = query(request).next_cursor;
  BOOST_CHECK(refused_cursor(request, oldest));
  for (const auto& known : {second, third}) {
    request.cursor = known;
    BOOST_TEST(numbers(query(request)) == "3");
  }
  BOOST_TEST(traced("query_observations", "invalid_request").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_long_answer_comes_whole, many_notes, *label("SP_pagination")) {
  start();
  add_observations wines{as_daemon("planner"), {}};
  wines.drafts.assign(2500, note("A wine", {"wine"}));
  value(ask(page, std::move(wines)));
  for (auto* text : {"", "wine"}) {
    auto request = asking({}, text, 1000);
    std::vector<uint64_t> seen;
    for (;;) {
      auto part = query(request);
      BOOST_TEST(part.total_count == 2500u);
      for (const auto& x : part.observations)
        seen.push_back(std::stoull(number_of(*x)));
      request.cursor = part.next_cursor;
      if (request.cursor.empty())
        break;
    }
    BOOST_REQUIRE(seen.size() == 2500u);
    for (size_t i = 0; i < seen.size(); ++i)
      BOOST_REQUIRE(seen[i] == 2500 - i);
  }
}

} // namespace scratchpage::test
