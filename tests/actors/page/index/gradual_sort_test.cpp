#define BOOST_TEST_MODULE gradual_sort
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "scratchpage/actors/page/index/deadline_poll.hpp"

namespace scratchpage {

namespace {

/// The numbers 0 to `count - 1`, not sorted.
std::vector<int> mixed(int count) {
  std::vector<int> result;
  for (auto i = 0; i < count; ++i)
    result.push_back(i * 7'919 % count);
  return result;
}

bool sort(std::vector<int>& x, const std::function<bool()>& out_of_time) {
  return gradual_sort(x.begin(), x.end(), 1'000, std::less{}, out_of_time);
}

} // namespace

BOOST_AUTO_TEST_CASE(all_is_put_in_order_while_there_is_time) {
  for (auto count : {0, 1, 999, 1'000, 1'001, 50'000, 100'000}) {
    auto x = mixed(count);
    BOOST_TEST(sort(x, [] { return false; }));
    BOOST_TEST(std::is_sorted(x.begin(), x.end()));
  }
}

BOOST_AUTO_TEST_CASE(out_of_time_the_first_piece_is_in_order_and_nothing_is_lost) {
  auto x = mixed(50'000);
  BOOST_TEST(!sort(x, [] { return true; }));
  std::vector<int> best(1'000);
  std::iota(best.begin(), best.end(), 0);
  BOOST_TEST(std::equal(best.begin(), best.end(), x.begin()));
  BOOST_TEST(!std::is_sorted(x.begin(), x.end()));
  std::sort(x.begin(), x.end());
  BOOST_TEST(x.back() == 49'999);
  BOOST_TEST((std::adjacent_find(x.begin(), x.end()) == x.end()));
}

BOOST_AUTO_TEST_CASE(the_time_is_asked_for_after_each_piece) {
  auto x = mixed(100'000);
  auto looks = 0;
  BOOST_TEST(sort(x, [&] { return ++looks, false; }));
  BOOST_TEST(looks >= 6);
}

} // namespace scratchpage
