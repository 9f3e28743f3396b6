#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"
#include "scratchpage/persistence/transfer/past_page.hpp"
#include "scratchpage/tests/persistence/transfer/random_history.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/observations.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// Pages of the past: how far back they go, and the errors beyond. A test with a real page checks
/// that they are right (tests/scenarios/page/past_page_test.cpp).

namespace scratchpage::test {

namespace {

/// Ten additions, one each 10 ms. Number 3 expires at 45 ms, all others much later.
struct ten_changes {
  memory_store in;
  random_history ada{in};

  ten_changes() {
    for (int i = 1; i <= 10; ++i)
      ada.play({{0, 0, i == 3 ? 40 : 99}});
  }

  caf::expected<historical_page> at(const moment& until) {
    return page_at(in, ada.owner().agent, until);
  }

  std::string numbers(const moment& until) {
    auto then = at(until);
    if (!then)
      return describe(then.error());
    std::string result;
    for (const auto& [number, x] : then->page.observations)
      result += (result.empty() ? "" : " ") + std::to_string(number);
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(past_pages, ten_changes)

BOOST_AUTO_TEST_CASE(a_sequence_counts_with_its_change) {
  BOOST_TEST(numbers(uint64_t{1}) == "1");
  BOOST_TEST(numbers(uint64_t{4}) == "1 2 3 4");
  BOOST_TEST(at(uint64_t{4})->page.sequence == 4u);
  BOOST_CHECK(at(uint64_t{4})->at == at_ms(40));
}

BOOST_AUTO_TEST_CASE(a_time_counts_with_all_that_had_happened_by_then) {
  BOOST_TEST(numbers(at_ms(10)) == "1");
  BOOST_TEST(numbers(at_ms(29)) == "1 2");
  BOOST_TEST(numbers(at_ms(44)) == "1 2 3 4");
  BOOST_TEST(at(at_ms(29))->page.sequence == 2u);
  BOOST_CHECK(at(at_ms(29))->at == at_ms(29));
}

BOOST_AUTO_TEST_CASE(what_had_expired_is_not_served_even_if_nobody_had_noticed) {
  BOOST_TEST(numbers(at_ms(45)) == "1 2 4");
  BOOST_TEST(numbers(uint64_t{5}) == "1 2 4 5");
}

BOOST_AUTO_TEST_CASE(snapshots_change_nothing) {
  BOOST_REQUIRE(advance_snapshot(in, ada.owner(), snapshot_kind::latest, 7, 100));
  for (uint64_t sequence : {2u, 6u, 7u, 8u})
    BOOST_TEST(at(sequence)->page.sequence == sequence);
  BOOST_TEST(numbers(uint64_t{2}) == "1 2");
  BOOST_TEST(numbers(at_ms(29)) == "1 2");
}

BOOST_AUTO_TEST_CASE(beyond_the_end_it_is_told_how_far_one_can_go) {
  BOOST_TEST(
    numbers(uint64_t{11}) == "invalid_request: until: expected a sequence from 1 to 10, got 11");
  BOOST_TEST(
    numbers(uint64_t{0}) == "invalid_request: until: expected a sequence from 1 to 10, got 0");
  BOOST_TEST(numbers(at_ms(9))
             == "invalid_request: until: expected a time from 1970-01-01T00:00:00.010Z on, where "
                "the journal begins, got 1970-01-01T00:00:00.009Z");
  BOOST_TEST(at(at_ms(1'000))->page.sequence == 10u);
}

BOOST_AUTO_TEST_CASE(a_journal_that_begins_later_says_where) {
  ada.forget();
  ada.play({{0, 0, 99}, {0, 0, 99}});
  BOOST_TEST(
    numbers(uint64_t{9}) == "invalid_request: until: expected a sequence from 10 to 12, got 9");
  BOOST_TEST(at(uint64_t{10})->page.last_number == 10u);
  BOOST_TEST(at(uint64_t{11})->page.last_number == 11u);
  BOOST_TEST(
    numbers(at_ms(99)).find("a time from 1970-01-01T00:00:00.100Z on") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_page_on_which_nothing_was_has_no_past) {
  memory_store empty;
  auto agent = empty.claim("bob")->agent;
  for (const auto& until : {moment{uint64_t{0}}, moment{uint64_t{1}}, moment{at_ms(5)}}) {
    auto then = page_at(empty, agent, until);
    BOOST_REQUIRE(!then);
    BOOST_TEST(describe(then.error())
               == "invalid_request: until: expected a page that has changed, got one on which "
                  "nothing ever was");
  }
}

BOOST_AUTO_TEST_CASE(it_tells_how_far_it_is) {
  uint64_t last = 0;
  auto tell = [&](uint64_t done, uint64_t total) {
    BOOST_TEST(done > last);
    BOOST_TEST(total == 8u);
    last = done;
  };
  BOOST_REQUIRE(page_at(in, ada.owner().agent, uint64_t{8}, tell));
  BOOST_TEST(last == 8u);
}

BOOST_AUTO_TEST_CASE(it_ends_when_it_may_not_go_on) {
  auto stop = [] { return fail(errc::deadline_exceeded, "", "expected less"); };
  auto then = page_at(in, ada.owner().agent, uint64_t{8}, {}, stop);
  BOOST_REQUIRE(!then);
  BOOST_TEST(describe(then.error()) == "deadline_exceeded: expected less");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// Parts of past pages, as a client asks for them.
struct asked_changes : ten_changes {
  caf::expected<past_page> ask(past_page_query which) {
    return read_past_page(in, ada.owner().agent, which);
  }

  std::string refusal(past_page_query which) {
    auto found = ask(std::move(which));
    return found ? "none" : describe(found.error());
  }

  static std::string sequence_and_numbers(const past_page& x) {
    auto result = std::to_string(x.sequence) + ":";
    for (const auto& one : x.observations)
      result += " " + std::to_string(*number_of(one->observation_id));
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(asked_past_pages, asked_changes)

BOOST_AUTO_TEST_CASE(an_answer_says_how_far_the_history_goes) {
  auto found = require_value(ask({.sequence = 4}));
  BOOST_TEST(sequence_and_numbers(found) == "4: 4 3 2 1");
  BOOST_CHECK(found.at == at_ms(40));
  BOOST_TEST(found.first_sequence == 1u);
  BOOST_TEST(found.last_sequence == 10u);
  BOOST_CHECK(found.first_at == at_ms(10));
  BOOST_CHECK(found.last_at == at_ms(100));
  BOOST_TEST(found.total_count == 4u);
  BOOST_TEST(found.next_cursor.empty());
}

BOOST_AUTO_TEST_CASE(without_a_moment_it_is_the_page_after_the_last_change) {
  BOOST_TEST(sequence_and_numbers(require_value(ask({}))) == "10: 10 9 8 7 6 5 4 2 1");
}

BOOST_AUTO_TEST_CASE(a_history_whose_beginning_is_gone_says_so) {
  ada.forget();
  ada.play({{0, 0, 99}});
  auto found = require_value(ask({}));
  BOOST_TEST(found.first_sequence == 10u);
  BOOST_CHECK(found.first_at == at_ms(100));
  BOOST_TEST(found.last_sequence == 11u);
  BOOST_CHECK(found.last_at == at_ms(110));
}

BOOST_AUTO_TEST_CASE(parts_make_the_whole_page_although_it_changes_meanwhile) {
  auto first = require_value(ask({.limit = 4}));
  BOOST_TEST(sequence_and_numbers(first) == "10: 10 9 8 7");
  BOOST_TEST(first.total_count == 9u);
  ada.play({{0, 0, 99}});
  auto second = require_value(ask({.limit = 4, .cursor = first.next_cursor}));
  BOOST_TEST(sequence_and_numbers(second) == "10: 6 5 4 2");
  auto third = require_value(ask({.limit = 4, .cursor = second.next_cursor}));
  BOOST_TEST(sequence_and_numbers(third) == "10: 1");
  BOOST_TEST(third.next_cursor.empty());
}

BOOST_AUTO_TEST_CASE(parts_of_a_page_at_a_time_leave_out_what_had_expired_then) {
  auto first = require_value(ask({.at = at_ms(46), .limit = 2}));
  BOOST_TEST(sequence_and_numbers(first) == "4: 4 2");
  auto second = require_value(ask({.at = at_ms(46), .limit = 2, .cursor = first.next_cursor}));
  BOOST_TEST(sequence_and_numbers(second) == "4: 1");
}

BOOST_AUTO_TEST_CASE(an_error_names_the_argument) {
  BOOST_TEST(refusal({.sequence = 11})
             == "invalid_request: sequence: expected a sequence from 1 to 10, got 11");
  BOOST_TEST(refusal({.at = at_ms(9)}).starts_with("invalid_request: at: expected a time from "));
  BOOST_TEST(refusal({.sequence = 1, .at = at_ms(20)})
             == "invalid_request: at: expected either this member or `sequence`");
  BOOST_TEST(refusal({.limit = 0}) == "invalid_request: limit: expected 1 to 1000, got 0");
  for (const auto* cursor : {"x", "1", "1-", "-1", "1-2-3", "1-x", "11-3"})
    BOOST_TEST(refusal({.cursor = cursor}).starts_with("invalid_request: cursor: expected "));
  BOOST_TEST(refusal({.sequence = 4, .cursor = "3-2"})
             == "invalid_request: cursor: expected the `next_cursor` of an answer about the same "
                "page; that one is about the page after sequence 3");
}

BOOST_AUTO_TEST_CASE(a_page_on_which_nothing_was_is_empty) {
  memory_store empty;
  auto agent = empty.claim("bob")->agent;
  auto found = require_value(read_past_page(empty, agent, {}));
  BOOST_TEST(sequence_and_numbers(found) == "0:");
  BOOST_TEST(found.last_sequence == 0u);
  BOOST_TEST(!found.at);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
