#include <limits>
#include <memory>
#include <optional>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/page_memory.hpp"

namespace scratchpage::test {

namespace {

constexpr auto any = std::numeric_limits<uint64_t>::max();

} // namespace

BOOST_AUTO_TEST_SUITE(page_memories)

BOOST_AUTO_TEST_CASE(a_page_has_its_part_alone_when_all_have_more_than_there_is) {
  auto all = std::make_shared<page_memory>(1'000);
  page_memory::share first{all};
  std::optional<page_memory::share> second{std::in_place, all};
  first.set(600);
  second->set(400);
  BOOST_TEST(first.limit() == any);
  first.set(601);
  BOOST_TEST(first.limit() == 500u);
  BOOST_TEST(second->limit() == 500u);
  first.set(300);
  BOOST_TEST(second->limit() == any);
  first.set(900);
  BOOST_TEST(first.limit() == 500u);
  second.reset(); // returns its memory
  BOOST_TEST(first.limit() == any);
  first.set(1'001);
  BOOST_TEST(first.limit() == 1'000u);
}

BOOST_AUTO_TEST_CASE(a_page_by_itself_has_no_such_bound) {
  page_memory::share alone;
  alone.set(any);
  BOOST_TEST(alone.limit() == any);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
