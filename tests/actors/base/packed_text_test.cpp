#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "scratchpage/actors/base/packed_text.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(packed_texts)

BOOST_AUTO_TEST_CASE(numbers_and_texts_are_read_as_they_were_written) {
  const std::vector<uint64_t> numbers{
    0, 1, 127, 128, 16'383, 16'384, uint64_t{1} << 63, UINT64_MAX, UINT64_MAX - 1, 5, 0};
  const std::vector<std::string> texts{
    "", "obs_20251105_001", "obs_20251105_002", "obs_20251106_010", "x", std::string(300, 'y'), ""};
  packer to;
  for (auto x : numbers) {
    to.put(x);
    to.put_near(x);
  }
  for (const auto& x : texts)
    to.put(x);
  auto text = std::move(to).text();
  unpacker from{text};
  for (auto x : numbers) {
    BOOST_TEST(from.number() == x);
    BOOST_TEST(from.near_number() == x);
  }
  for (const auto& x : texts)
    BOOST_TEST(from.text() == x);
  BOOST_TEST(from.is_done());
}

BOOST_AUTO_TEST_CASE(any_numbers_come_back) {
  std::mt19937_64 random{20251128};
  std::vector<uint64_t> numbers;
  for (int i = 0; i < 10'000; ++i)
    numbers.push_back(random() >> (random() % 64));
  packer to;
  for (auto x : numbers)
    to.put_near(x);
  auto text = std::move(to).text();
  unpacker from{text};
  for (auto x : numbers)
    BOOST_REQUIRE(from.near_number() == x);
  BOOST_TEST(from.is_done());
}

BOOST_AUTO_TEST_CASE(what_is_like_the_last_takes_few_bytes) {
  packer to;
  for (uint64_t i = 1'000'000; i < 1'000'100; ++i) {
    to.put_near(i);
    to.put("obs_20251105_" + std::to_string(i));
  }
  BOOST_TEST(std::move(to).text().size() < 100u * 5 + 40);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
