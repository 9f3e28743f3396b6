#define BOOST_TEST_MODULE split_table
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

using table = split_table<boost::unordered_flat_map<std::string, int, text_hash, text_equal>>;

struct same_hash {
  using is_avalanching = void;

  size_t operator()(uint32_t) const { return 42; }
};

} // namespace

BOOST_AUTO_TEST_CASE(it_agrees_with_a_map_while_it_splits_and_empties) {
  std::mt19937 random{6};
  table x;
  std::map<std::string, int> expected;
  for (unsigned adds_of_4 : {3u, 0u})
    for (int step = 0; step < 150'000; ++step) {
      auto name = "key" + std::to_string(random() % 100'000);
      text_key key{name};
      if (random() % 4 < adds_of_4) {
        if (expected.emplace(name, step).second)
          x.insert(key, {name, step});
      } else {
        expected.erase(name);
        x.erase(key);
      }
      BOOST_REQUIRE(x.size() == expected.size());
      auto other = "key" + std::to_string(random() % 100'000);
      auto* found = x.find(text_key{other});
      auto i = expected.find(other);
      BOOST_REQUIRE((found != nullptr) == (i != expected.end()));
      BOOST_REQUIRE((found == nullptr || found->second == i->second));
    }
  size_t seen = 0;
  x.for_each([&](const auto& each) {
    BOOST_TEST(expected.at(each.first) == each.second);
    ++seen;
  });
  BOOST_TEST(seen == expected.size());
  x.clear();
  BOOST_TEST(x.size() == 0u);
  BOOST_TEST(x.find(text_key{"key1"}) == nullptr);
}

BOOST_AUTO_TEST_CASE(keys_that_all_have_one_hash_are_kept_apart_all_the_same) {
  split_table<boost::unordered_flat_map<uint32_t, uint32_t, same_hash>> x;
  for (uint32_t n = 0; n < 7000; ++n)
    x.insert(n, {n, n * 2});
  for (uint32_t n = 0; n < 7000; n += 500)
    BOOST_TEST(x.find(n)->second == n * 2);
}

} // namespace scratchpage
