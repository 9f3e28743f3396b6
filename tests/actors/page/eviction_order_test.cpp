#define BOOST_TEST_MODULE eviction_order
#include <boost/test/unit_test.hpp>

#include <list>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "scratchpage/actors/page/source_shares.hpp"

namespace scratchpage {

namespace {

std::vector<uint64_t> evict_all(eviction_order& order) {
  std::vector<uint64_t> result;
  while (auto victim = order.victim()) {
    result.push_back(*victim);
    order.erase(*victim);
  }
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_lowest_weight_goes_first_and_within_it_the_least_recently_used) {
  eviction_order order;
  order.insert(1, 50);
  order.insert(2, 10);
  order.insert(3, 50);
  order.insert(4, 10);
  order.touch(2);
  BOOST_TEST(
    evict_all(order) == (std::vector<uint64_t>{4, 2, 1, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_protected_is_never_the_victim) {
  eviction_order order;
  order.insert(1, 1);
  order.insert(2, 1);
  order.protect(1, true);
  order.touch(1);
  BOOST_TEST(order.victim().value() == 2u);
  order.erase(2);
  BOOST_TEST(!order.victim().has_value());
  order.protect(1, false);
  BOOST_TEST(order.victim().value() == 1u);
}

BOOST_AUTO_TEST_CASE(the_end_of_protection_counts_as_use) {
  eviction_order order;
  for (uint64_t n : {1, 2, 3})
    order.insert(n, 1);
  order.protect(1, true);
  order.protect(1, false);
  BOOST_TEST(
    evict_all(order) == (std::vector<uint64_t>{2, 3, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_share_that_claims_the_most_gives_first) {
  eviction_order order;
  order.insert(1, 1, 4);
  order.insert(2, 9, 7);
  order.insert(3, 5, 7);
  order.insert(4, 1, 4);
  auto nobody = [](uint64_t) { return false; };
  auto claims = [](eviction_order::share x) { return x == 7 ? 2.0 : 1.0; };
  std::vector<uint64_t> left;
  while (auto victim = order.victim(nobody, claims)) {
    left.push_back(*victim);
    order.erase(*victim);
  }
  BOOST_TEST(left == (std::vector<uint64_t>{3, 2, 1, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_share_whose_observations_are_all_spared_gives_nothing) {
  eviction_order order;
  order.insert(1, 1, 2);
  order.insert(2, 1, 3);
  auto spares = [](uint64_t number) { return number == 1; };
  auto claims = [](eviction_order::share x) { return x == 2 ? 2.0 : 1.0; };
  BOOST_TEST(order.victim(spares, claims).value() == 2u);
  BOOST_TEST(!order.victim_of(2, spares).has_value());
  BOOST_TEST(!order.victim_of(9, spares).has_value());
}

BOOST_AUTO_TEST_CASE(a_share_that_has_nothing_left_is_not_asked_what_it_claims) {
  eviction_order order;
  order.insert(1, 1, 2);
  order.insert(2, 1, 3);
  order.erase(1);
  std::set<eviction_order::share> asked;
  auto claims = [&](eviction_order::share x) {
    asked.insert(x);
    return 1.0;
  };
  BOOST_TEST(order.victim([](uint64_t) { return false; }, claims).value() == 2u);
  BOOST_TEST(asked == std::set<eviction_order::share>{3}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unknown_numbers_are_ignored) {
  eviction_order order;
  order.touch(7);
  order.protect(7, true);
  order.erase(7);
  BOOST_TEST(order.size() == 0u);
  BOOST_TEST(!order.victim().has_value());
}

BOOST_AUTO_TEST_CASE(it_agrees_with_a_list_per_weight_and_numbers_may_pass_32_bits) {
  std::mt19937 random{7};
  eviction_order order;
  std::map<int64_t, std::list<uint64_t>> model; // by weight; least recently used first
  std::map<uint64_t, int64_t> weights;
  std::set<uint64_t> guarded;
  auto drop = [&](uint64_t n) { model[weights[n]].remove(n); };
  auto next = (uint64_t{1} << 32) - 2000;
  for (int step = 0; step < 20'000; ++step) {
    auto pick = [&] { return next - 1 - random() % 600; };
    switch (random() % 5) {
    case 0:
      weights[next] = static_cast<int64_t>(random() % 4);
      model[weights[next]].push_back(next);
      order.insert(next, weights[next]);
      ++next;
      break;
    case 1:
      if (auto n = pick(); weights.contains(n)) {
        if (!guarded.contains(n)) {
          drop(n);
          model[weights[n]].push_back(n);
        }
        order.touch(n);
      }
      break;
    case 2:
      if (auto n = pick(); weights.contains(n) && random() % 2 == 0) {
        drop(n);
        weights.erase(n);
        guarded.erase(n);
        order.erase(n);
      }
      break;
    default:
      if (auto n = pick(); weights.contains(n)) {
        auto on = random() % 2 == 0;
        if (on && guarded.insert(n).second)
          drop(n);
        else if (!on && guarded.erase(n) > 0)
          model[weights[n]].push_back(n);
        order.protect(n, on);
      }
    }
    std::optional<uint64_t> expected;
    for (const auto& [weight, list] : model)
      if (!list.empty() && !expected)
        expected = list.front();
    BOOST_REQUIRE(order.victim() == expected);
    BOOST_REQUIRE(order.size() == weights.size());
  }
}

BOOST_AUTO_TEST_CASE(an_order_that_was_packed_is_the_same) {
  eviction_order order;
  std::mt19937 random{20251128};
  for (uint64_t n = 1; n <= 600; ++n)
    order.insert(n, static_cast<int64_t>(random() % 5) - 2, random() % 4);
  for (int i = 0; i < 2'000; ++i) {
    order.touch(1 + random() % 600);
    order.protect(1 + random() % 600, random() % 3 == 0);
    order.erase(1 + random() % 10'000);
  }
  eviction_order other;
  other.restore(order.packed());
  BOOST_TEST(other.size() == order.size());
  BOOST_TEST(other.packed() == order.packed());
  BOOST_TEST(evict_all(other) == evict_all(order), boost::test_tools::per_element());
  for (uint64_t n = 1; n <= 600; ++n) { // the protected ones are left
    order.protect(n, false);
    other.protect(n, false);
  }
  BOOST_TEST(order.victim().has_value());
  BOOST_TEST(evict_all(other) == evict_all(order), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_packed_order_takes_about_a_byte_for_each) {
  eviction_order order;
  for (uint64_t n = 1'000'000; n < 1'010'000; ++n)
    order.insert(n, 10);
  BOOST_TEST(order.packed().size() < 10'020u);
}

} // namespace scratchpage
