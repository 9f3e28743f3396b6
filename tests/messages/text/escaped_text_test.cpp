#include "scratchpage/messages/text/display_text.hpp"

#include <boost/test/unit_test.hpp>

namespace scratchpage {

BOOST_AUTO_TEST_CASE(what_is_safe_is_shown_as_it_is) {
  BOOST_TEST(
    escaped("Grüße, 日本語 \"quoted\" \\ 🙂") == "Grüße, 日本語 \"quoted\" \\ 🙂");
  BOOST_TEST(escaped("") == "");
}

/// All of Unicode's Default_Ignorable_Code_Point except U+FE0F, and U+2800.
BOOST_AUTO_TEST_CASE(what_cannot_be_seen_is_escaped) {
  const std::pair<char32_t, char32_t> hidden[] = {{0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200F}, {0x202A, 0x202E},
    {0x2060, 0x206F}, {0x2800, 0x2800}, {0x3164, 0x3164}, {0xFE00, 0xFE0E}, {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
  for (auto [first, last] : hidden)
    for (auto code = first; code <= last; ++code)
      BOOST_TEST(is_unsafe(code), std::hex << static_cast<uint32_t>(code));
  BOOST_TEST(!is_unsafe(0xFE0F)); // the emoji variation selector
  for (char32_t shown : {0xA0, 0x34E, 0x350, 0x1161, 0x2801, 0x3165, 0xFF9F, 0xFFFC, 0x1D17B})
    BOOST_TEST(!is_unsafe(shown), std::hex << static_cast<uint32_t>(shown));
  BOOST_TEST(escaped("\xCD\x8F\xE2\xA0\x80\xE3\x85\xA4") == R"(\u{34f}\u{2800}\u{3164})");
}

BOOST_AUTO_TEST_CASE(what_steers_turns_or_hides_is_escaped) {
  BOOST_TEST(escaped("a\r\n\tb\x1b[1m") == R"(a\r\n\tb\u{1b}[1m)");
  BOOST_TEST(escaped("\xE2\x80\xAE\xD8\x9C\xE2\x80\x8B") == R"(\u{202e}\u{61c}\u{200b})");
  BOOST_TEST(escaped("\xF3\xA0\x81\x81") == R"(\u{e0041})");
}

BOOST_AUTO_TEST_CASE(what_is_not_utf8_is_told_by_its_bytes) {
  BOOST_TEST(escaped("a\xFF\xC3") == R"(a\xff\xc3)");
}

} // namespace scratchpage
