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
  first.is(600);
  second->is(400);
  BOOST_TEST(first.most() == any);
  first.is(601);
  BOOST_TEST(first.most() == 500u);
  BOOST_TEST(second->most() == 500u);
  first.is(300);
  BOOST_TEST(second->most() == any);
  first.is(900);
  BOOST_TEST(first.most() == 500u);
  second.reset(); // what it had is given back
  BOOST_TEST(first.most() == any);
  first.is(1'001);
  BOOST_TEST(first.most() == 1'000u);
}

BOOST_AUTO_TEST_CASE(a_page_by_itself_has_no_such_bound) {
  page_memory::share alone;
  alone.is(any);
  BOOST_TEST(alone.most() == any);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
