#include <set>

#include <boost/test/unit_test.hpp>

#include <rapidcheck.h>

#include "scratchpage/actors/page/filter_groups.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_CASE(nothing_is_marked_where_nothing_was) {
  sequence_marks marks{10};
  BOOST_TEST(marks.next(1, 1) == 1u);
  BOOST_TEST(marks.next(1, 2) == 2u);
  BOOST_TEST(marks.next(1, 1'000'000) == 1'000'000u);
}

BOOST_AUTO_TEST_CASE(a_ring_forgets_what_is_more_than_its_capacity_ago) {
  sequence_marks marks{64};
  for (uint64_t i = 1; i <= 1000; ++i)
    if (i % 100 == 0)
      marks.mark(i);
  BOOST_TEST(marks.next(937, 1001) == 1000u);
  BOOST_TEST(marks.next(1001, 1065) == 1065u);
  marks.mark(1000 + 4 * 64);
  BOOST_TEST(marks.next(1193, 1257) == 1256u);
}

BOOST_AUTO_TEST_CASE(an_earlier_sequence_may_be_marked_later) {
  sequence_marks marks{64};
  marks.mark(1000);
  marks.mark(937);
  BOOST_TEST(marks.next(937, 1001) == 937u);
  BOOST_TEST(marks.next(938, 1001) == 1000u);
}

BOOST_AUTO_TEST_CASE(finds_what_a_set_of_numbers_finds) {
  BOOST_TEST(rc::check([] {
    const auto capacity = *rc::gen::inRange<size_t>(1, 400);
    const auto count = *rc::gen::inRange<uint64_t>(1, 1500);
    const auto share = *rc::gen::inRange<uint64_t>(1, 200); // one of `share` numbers is marked
    sequence_marks marks{capacity};
    std::set<uint64_t> model;
    for (uint64_t i = 1; i <= count; ++i)
      if (*rc::gen::inRange<uint64_t>(0, share) == 0) {
        marks.mark(i);
        model.insert(i);
      }
    auto oldest = count > capacity ? count - capacity + 1 : 1;
    const auto from = *rc::gen::inRange<uint64_t>(oldest, count + 2);
    const auto to = *rc::gen::inRange<uint64_t>(from, count + 2);
    auto found = model.lower_bound(from);
    RC_ASSERT(marks.next(from, to) == (found != model.end() && *found < to ? *found : to));
  }));
}

} // namespace scratchpage
