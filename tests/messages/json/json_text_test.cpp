#include <boost/test/unit_test.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "scratchpage/messages/json/json_text.hpp"

/// Compares the fast ways to write texts (eight bytes at a time) and numbers (by thousandths) with
/// simple ones.

namespace scratchpage {

namespace {

std::string quoted(std::string_view text) {
  std::string result;
  append_quoted(result, text);
  return result;
}

std::string one_by_one(std::string_view text) {
  std::string result{"\""};
  for (auto x : text) {
    constexpr std::string_view short_ones{"\"\\\b\f\n\r\t"};
    auto place = short_ones.find(x);
    if (place != std::string_view::npos) {
      result.append("\\").append(1, "\"\\bfnrt"[place]);
    } else if (static_cast<unsigned char>(x) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(x));
      result += code.data();
    } else {
      result += x;
    }
  }
  return result.append("\"");
}

/// The shortest exact digits in fixed notation, always with a fraction.
std::string shortest(double x) {
  std::array<char, 64> digits{};
  auto* end =
    std::to_chars(digits.data(), digits.data() + digits.size(), x, std::chars_format::fixed).ptr;
  std::string result{digits.data(), end};
  return result.find('.') == std::string::npos ? result.append(".0") : result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_text)

BOOST_AUTO_TEST_CASE(every_character_is_escaped_or_not_at_every_place_of_a_text) {
  for (int code = 0; code < 256; ++code) {
    for (size_t place = 0; place < 18; ++place) {
      std::string text = "ünï and more text";
      text.insert(place, 1, static_cast<char>(code));
      BOOST_TEST(quoted(text) == one_by_one(text));
    }
  }
}

BOOST_AUTO_TEST_CASE(texts_of_any_length_and_with_many_escapes_are_written_whole) {
  std::mt19937 random{3};
  for (size_t length = 0; length < 600; ++length) {
    std::string text;
    while (text.size() < length)
      text += random() % 3 == 0 ? static_cast<char>(random() % 0x23) : 'x';
    BOOST_TEST(quoted(text) == one_by_one(text));
  }
}

BOOST_AUTO_TEST_CASE(numbers_have_the_fewest_digits_that_read_back_the_same) {
  std::mt19937_64 random{5};
  for (int i = 0; i < 20'000; ++i) {
    auto whole = static_cast<double>(random() % 1'000'000'000'000);
    for (auto parts : {1., 10., 100., 1000., 10'000., 3., 1e9}) {
      auto x = whole / parts;
      for (auto near : {x, -x, std::nextafter(x, 0.), std::nextafter(x, 1e300)})
        if (std::fabs(near) >= 1e-6)
          BOOST_REQUIRE_EQUAL(to_text(json::value(near)), shortest(near));
    }
  }
  for (auto x : {0., -0., 0.001, 0.999, 0.0005, 999'999'999.999, 1e9, 1e9 + 0.001, 10080., 0.35})
    BOOST_TEST(to_text(json::value(x)) == shortest(x));
}

BOOST_AUTO_TEST_CASE(what_is_added_to_a_text_stands_behind_what_is_there) {
  std::string text{"before "};
  { text_appender untouched{text}; }
  BOOST_TEST(text == "before ");
  std::string expected = text;
  {
    text_appender end{text};
    for (size_t bytes = 0; bytes < 700; ++bytes) {
      std::string piece(bytes, static_cast<char>('a' + bytes % 26));
      end.add(piece);
      end.add('.');
      expected.append(piece).append(".");
    }
  }
  BOOST_TEST(text == expected);
}

BOOST_AUTO_TEST_CASE(what_fits_into_the_room_of_a_text_is_not_copied_again) {
  std::string text;
  text.reserve(1'000);
  const auto* begin = text.data();
  {
    text_appender end{text};
    for (int i = 0; i < 9; ++i)
      end.add(std::string(100, 'x'));
  }
  BOOST_TEST(text == std::string(900, 'x'));
  BOOST_TEST(static_cast<const void*>(text.data()) == static_cast<const void*>(begin));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
