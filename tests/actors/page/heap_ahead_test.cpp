#define BOOST_TEST_MODULE heap_ahead
#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/heap_ahead.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(heaps_ahead)

BOOST_AUTO_TEST_CASE(a_small_page_gets_nothing_ahead) {
  heap_ahead heap;
  for (uint64_t bytes = 0; bytes < heap_ahead::smallest_page; bytes += 1'000)
    BOOST_TEST(!heap.note(bytes));
}

BOOST_AUTO_TEST_CASE(a_page_gets_a_piece_each_time_that_it_has_grown_by_one) {
  heap_ahead heap;
  uint64_t pieces = 0;
  for (uint64_t i = 0; i < 10; ++i) {
    auto bytes = heap_ahead::smallest_page + i * heap_ahead::piece;
    pieces += heap.note(bytes) ? 1 : 0;
    pieces += heap.note(bytes + heap_ahead::piece - 1) ? 1 : 0;
  }
  BOOST_TEST(pieces == 10u);
}

BOOST_AUTO_TEST_CASE(a_page_that_shrinks_and_grows_again_has_its_memory_already) {
  heap_ahead heap;
  auto most = heap_ahead::smallest_page + 5 * heap_ahead::piece;
  BOOST_TEST(heap.note(most));
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(!heap.note(0));
    BOOST_TEST(!heap.note(most));
  }
  BOOST_TEST(heap.note(most + heap_ahead::piece));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
