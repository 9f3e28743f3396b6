#include "scratchpage/messages/escaped_text.hpp"

#include <boost/test/unit_test.hpp>

namespace scratchpage {

BOOST_AUTO_TEST_CASE(what_is_safe_is_shown_as_it_is) {
  BOOST_TEST(
    escaped("Grüße, 日本語 \"quoted\" \\ 🙂") == "Grüße, 日本語 \"quoted\" \\ 🙂");
  BOOST_TEST(escaped("") == "");
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
