#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// A random text: mostly runs of ASCII, with other characters and malformed bytes in between.
std::string make_text(std::mt19937& random) {
  constexpr std::array<std::string_view, 8> pieces{
    "a", "seven b", "eight by", "nine byte", "é", "€", "😀", "\xE2\x82"};
  std::string result;
  for (auto left = random() % 12; left > 0; --left)
    result += pieces[random() % (random() % 4 == 0 ? pieces.size() : pieces.size() - 1)];
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(utf8_text)

BOOST_AUTO_TEST_CASE(gives_its_first_character) {
  auto is = [](std::string_view text, char32_t code, size_t bytes) {
    auto x = utf8::first_character(text);
    return x.valid && x.code == code && x.bytes == bytes;
  };
  BOOST_TEST(is("a€", U'a', 1));
  BOOST_TEST(is(std::string_view{"\0", 1}, 0, 1));
  BOOST_TEST(is("éa", U'é', 2));
  BOOST_TEST(is("€a", U'€', 3));
  BOOST_TEST(is("😀a", U'😀', 4));
  BOOST_TEST(is("\xF4\x8F\xBF\xBF", 0x10FFFF, 4)); // the last code point
}

BOOST_AUTO_TEST_CASE(is_read_byte_by_byte_where_it_is_malformed) {
  for (std::string_view text : {"\x80", "\xFFz", "\xC3", "\xC3(", "\xE2\x82", "\xC0\x80",
         "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF0\x80\x80\x80"}) {
    auto x = utf8::first_character(text);
    BOOST_TEST(!x.valid);
    BOOST_TEST(x.bytes == 1u);
    BOOST_TEST(static_cast<uint32_t>(x.code) == 0xFFFDu);
  }
}

BOOST_AUTO_TEST_CASE(tells_where_it_is_malformed) {
  BOOST_TEST(utf8::first_invalid("aé€😀") == std::string_view::npos);
  BOOST_TEST(utf8::first_invalid("ab\x80") == 2u);
  BOOST_TEST(utf8::first_invalid("\xC0\x80") == 0u);         // an overlong form
  BOOST_TEST(utf8::first_invalid("a\xED\xA0\x80") == 1u);    // a surrogate
  BOOST_TEST(utf8::first_invalid("a\xE2\x82") == 1u);        // cut off
  BOOST_TEST(utf8::first_invalid("\xF4\x90\x80\x80") == 0u); // beyond the last code point
  BOOST_TEST(utf8::is_valid(""));
  BOOST_TEST(utf8::is_valid("aé€😀"));
  BOOST_TEST(!utf8::is_valid("ab\x80"));
}

BOOST_AUTO_TEST_CASE(is_blank_if_it_is_white_space_alone) {
  BOOST_TEST(utf8::is_blank(""));
  BOOST_TEST(utf8::is_blank(" \t\r\n\v\f\u00a0\u2003\u3000"));
  BOOST_TEST(!utf8::is_blank(" a "));
  BOOST_TEST(!utf8::is_blank("\x80"));
  BOOST_TEST(!utf8::is_blank("\u200b")); // invisible, but no white space
}

BOOST_AUTO_TEST_CASE(is_counted_and_cut_by_characters) {
  BOOST_TEST(utf8::length("aé€😀") == 4u);
  BOOST_TEST(utf8::prefix("aé€", 2) == "a");
  BOOST_TEST(utf8::prefix("aé€", 3) == "aé");
  BOOST_TEST(utf8::prefix("aé€", 9) == "aé€");
}

BOOST_AUTO_TEST_CASE(is_checked_and_counted_as_if_each_character_were_looked_at_alone) {
  std::mt19937 random{22};
  for (int i = 0; i < 20'000; ++i) {
    auto text = make_text(random);
    size_t invalid = std::string_view::npos;
    size_t characters = 0;
    for (size_t at = 0; at < text.size() && invalid == std::string_view::npos; ++characters) {
      auto next = utf8::first_character(std::string_view{text}.substr(at));
      if (!next.valid)
        invalid = at;
      at += next.bytes;
    }
    BOOST_REQUIRE_MESSAGE(utf8::first_invalid(text) == invalid, text);
    if (invalid == std::string_view::npos)
      BOOST_REQUIRE_MESSAGE(utf8::length(text) == characters, text);
  }
}

BOOST_AUTO_TEST_CASE(says_where_it_was_shortened) {
  BOOST_TEST(utf8::shortened("plaît", 10) == "plaît");
  BOOST_TEST(utf8::shortened("aaaîaaaa", 7) == "aaa…");
  BOOST_TEST(utf8::shortened("ééééé", 9) == "ééé…");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
