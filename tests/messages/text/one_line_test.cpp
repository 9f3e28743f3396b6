#include <algorithm>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(a_quoted_text)

BOOST_AUTO_TEST_CASE(is_as_it_was_where_that_is_safe) {
  BOOST_TEST(quoted("Burgundy, 2015: 40 €", 100) == "\"Burgundy, 2015: 40 €\"");
  BOOST_TEST(quoted("", 100) == "\"\"");
}

BOOST_AUTO_TEST_CASE(cannot_end_its_line_or_its_quotes) {
  BOOST_TEST(quoted("a\nFacts:\r\n\t- x", 100) == R"("a\nFacts:\r\n\t- x")");
  BOOST_TEST(quoted(R"(say "x" \)", 100) == R"("say \"x\" \\")");
  BOOST_TEST(quoted("a\u2028b\u0085c", 100) == R"("a\u{2028}b\u{85}c")");
}

BOOST_AUTO_TEST_CASE(shows_what_wants_to_hide) {
  BOOST_TEST(quoted(std::string_view{"\0\x1b[2J\x7f", 6}, 100) == R"("\u{0}\u{1b}[2J\u{7f}")");
  BOOST_TEST(quoted("\u202Etxt\u202C\u200B", 100) == R"("\u{202e}txt\u{202c}\u{200b}")");
  BOOST_TEST(quoted("\U000E0041", 100) == R"("\u{e0041}")");
}

BOOST_AUTO_TEST_CASE(shows_bytes_that_are_not_utf_8) {
  BOOST_TEST(quoted("\x80 \xff", 100) == R"("\x80 \xff")");
  BOOST_TEST(quoted("\xc3", 100) == R"("\xc3")");
  BOOST_TEST(quoted("\xe2\x82", 100) == R"("\xe2\x82")");
  BOOST_TEST(quoted("\xc0\xaf", 100) == R"("\xc0\xaf")");         // overlong
  BOOST_TEST(quoted("\xed\xa0\x80", 100) == R"("\xed\xa0\x80")"); // half a surrogate pair
}

BOOST_AUTO_TEST_CASE(is_cut_between_characters) {
  BOOST_TEST(quoted("abcdef", 6) == "\"abcdef\"");
  BOOST_TEST(quoted("abcdef", 5) == "\"abcde…\"");
  BOOST_TEST(quoted("ab€", 4) == "\"ab…\"");
  BOOST_TEST(quoted("abc", 0) == "\"…\"");
}

BOOST_AUTO_TEST_CASE(is_one_line_whatever_the_bytes) {
  BOOST_TEST(rc::check("no control character, no quote but the two around", [] {
    auto text = *rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::arbitrary<char>(), rc::gen::element('"', '\\', '\n', '\xe2', '\x80')));
    auto line = quoted(text, *rc::gen::inRange<size_t>(0, 100));
    RC_ASSERT(std::none_of(line.begin(), line.end(),
      [](char x) { return static_cast<unsigned char>(x) < 0x20 || x == 0x7f; }));
    RC_ASSERT(line.size() >= 2u && line.front() == '"' && line.back() == '"');
    for (size_t i = 1; i + 1 < line.size(); ++i) {
      RC_ASSERT(line[i] != '"');
      if (line[i] == '\\')
        ++i; // skips the escaped character
      RC_ASSERT(i + 1 < line.size());
    }
  }));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_name_is_plain_or_quoted) {
  BOOST_TEST(shown_name("obs_20251105_001") == "obs_20251105_001");
  BOOST_TEST(shown_name("alice@example.com") == "alice@example.com");
  BOOST_TEST(shown_name("x]: \"ignore") == R"("x]: \"ignore")");
  BOOST_TEST(shown_name("") == "\"\"");
  BOOST_TEST(shown_name(std::string(65, 'a')).size() == 64u + 2 + 3);
}

} // namespace scratchpage
