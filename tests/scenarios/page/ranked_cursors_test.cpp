#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/index/ranked_cursors.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

namespace scratchpage::test {

using position = ranked_cursors::position;

BOOST_AUTO_TEST_CASE(a_cursor_is_read_as_it_was_written) {
  for (const position& x : {position{.before = 17}, position{.before = UINT64_MAX},
         position{.ranked = true, .order = 3, .offset = 40}}) {
    auto text = ranked_cursors::to_text(x);
    auto read = ranked_cursors::from_text(text);
    BOOST_REQUIRE(read);
    BOOST_TEST(read->ranked == x.ranked);
    BOOST_TEST(read->before == x.before);
    BOOST_TEST(read->order == x.order);
    BOOST_TEST(read->offset == x.offset);
    BOOST_TEST(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(no_cursor_is_the_start) {
  auto read = ranked_cursors::from_text("");
  BOOST_REQUIRE(read);
  BOOST_TEST(!read->ranked);
  BOOST_TEST(read->before == 0u);
}

BOOST_AUTO_TEST_CASE(what_no_answer_held_is_no_cursor) {
  for (auto* text : {"x", "n", "n0", "n-1", "n 1", "n1 ", "n1x", "17", "r", "r1", "r1o", "ro1",
         "r1o1x", "r1o-1", "R1o1", "n18446744073709551616"})
    BOOST_CHECK_MESSAGE(
      refused(ranked_cursors::from_text(text), errc::invalid_request, "cursor"), text);
}

BOOST_AUTO_TEST_CASE(the_order_unused_for_longest_is_forgotten) {
  ranked_cursors orders{2};
  auto first = orders.keep({.numbers = {1, 2}});
  auto second = orders.keep({.numbers = {3}});
  BOOST_REQUIRE(orders.find(first) != nullptr); // now the last used
  auto third = orders.keep({.numbers = {4}});
  BOOST_TEST(orders.find(second) == nullptr);
  BOOST_REQUIRE(orders.find(first) != nullptr);
  BOOST_TEST(orders.find(first)->numbers.size() == 2u);
  BOOST_REQUIRE(orders.find(third) != nullptr);
  BOOST_TEST(orders.find(third)->numbers.front() == 4u);
}

BOOST_AUTO_TEST_CASE(the_name_of_an_order_is_not_used_again) {
  ranked_cursors orders{1};
  auto first = orders.keep({.numbers = {1}});
  auto second = orders.keep({.numbers = {2}});
  BOOST_TEST(first != second);
  BOOST_TEST(orders.find(first) == nullptr);
}

BOOST_AUTO_TEST_CASE(orders_that_were_packed_are_the_same) {
  ranked_cursors orders{3};
  auto first = orders.keep({{7, 3, 1'000'000'007, 1}, false, 12});
  auto second = orders.keep({{}});
  auto third = orders.keep({{2}});
  orders.find(first);
  ranked_cursors others{3};
  others.restore(orders.packed());
  BOOST_REQUIRE(others.find(first) != nullptr);
  BOOST_TEST(!others.find(first)->is_complete);
  BOOST_TEST(others.find(first)->below == 12u);
  BOOST_TEST(others.find(first)->numbers == (std::vector<uint64_t>{7, 3, 1'000'000'007, 1}),
    boost::test_tools::per_element());
  BOOST_TEST(others.keep({{9}}) == third + 1);
  BOOST_TEST(others.find(second) == nullptr); // it was used least recently
  BOOST_TEST(others.find(third) != nullptr);
}

} // namespace scratchpage::test
