#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/actors/language/recent_readings.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(recent_readings_of_texts)

struct counted_sizes {
  size_t operator()(std::string_view text) {
    return known.of(text, [this](std::string_view x) {
      ++reads;
      return x.size();
    });
  }

  recent_readings<size_t> known;
  size_t reads = 0;
};

BOOST_AUTO_TEST_CASE(a_text_that_was_just_read_is_not_read_again) {
  counted_sizes size_of;
  BOOST_TEST(size_of("a short one") == 11u);
  BOOST_TEST(size_of(std::string{"a short one"}) == 11u);
  BOOST_TEST(size_of.reads == 1u);
}

BOOST_AUTO_TEST_CASE(the_empty_text_is_read_as_any_other) {
  recent_readings<int> known;
  BOOST_TEST(known.of("", [](std::string_view) { return 7; }) == 7);
}

BOOST_AUTO_TEST_CASE(each_of_many_texts_gets_its_own_reading) {
  counted_sizes size_of;
  for (int round = 0; round < 3; ++round)
    for (size_t n = 1; n <= 10 * recent_readings<size_t>::kept; ++n)
      BOOST_REQUIRE(size_of(std::string(n % 200, 'a') + std::to_string(n))
                    == n % 200 + std::to_string(n).size());
}

BOOST_AUTO_TEST_CASE(a_long_text_is_not_kept) {
  counted_sizes size_of;
  std::string longer(recent_readings<size_t>::short_text + 1, 'x');
  BOOST_TEST(size_of(longer) == longer.size());
  BOOST_TEST(size_of(longer) == longer.size());
  BOOST_TEST(size_of.reads == 2u);
}

BOOST_AUTO_TEST_CASE(reading_a_text_may_read_others) {
  recent_readings<size_t> known;
  auto read = [&](std::string_view x) {
    size_t sum = 0;
    for (size_t n = 0; n < 100; ++n)
      sum += known.of(std::to_string(n), [](std::string_view y) { return y.size(); });
    return sum + x.size();
  };
  BOOST_TEST(known.of("abc", read) == 193u);
  BOOST_TEST(known.of("abc", [](std::string_view) { return size_t{0}; }) == 193u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
