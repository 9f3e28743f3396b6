#include <algorithm>

#include "scratchpage/tests/persistence/privacy/found.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(detector)

BOOST_AUTO_TEST_CASE(finds_every_kind_in_order) {
  BOOST_TEST(found("Jane <jane@example.com>, +49 151 23456789, pays with 4111 1111 1111 1111 or "
                   "DE89 3704 0044 0532 0130 00 from 10.0.0.1; her SSN is 123-45-6789.")
             == "email<jane@example.com> phone<+49 151 23456789> card<4111 1111 1111 1111> "
                "iban<DE89 3704 0044 0532 0130 00> ip<10.0.0.1> ssn<123-45-6789>");
}

BOOST_AUTO_TEST_CASE(gives_bytes) {
  auto spans = pii_detector{}.find("é a@b.org");
  BOOST_REQUIRE(spans.size() == 1u);
  BOOST_TEST((spans[0] == pii_span{pii_kind::email, 3, 7}));
}

BOOST_AUTO_TEST_CASE(looks_for_the_chosen_kinds_only) {
  pii_detector detector{{pii_kind::phone, pii_kind::ip}};
  BOOST_TEST(detector.finds_any("+49 151 23456789"));
  BOOST_TEST(detector.finds_any("::1"));
  for (const auto* text : {"a@b.org", "phone 4111 1111 1111 1111", "phone 123-45-6789", "a@[::1]"})
    BOOST_TEST(!detector.finds_any(text), text);
}

BOOST_AUTO_TEST_CASE(finds_nothing_where_nothing_is) {
  check_none_holds_any({"", " ", "no digits, no sign", "1", "The answer is 42.",
    std::string{"\0\x80\xFF@1", 5}, "[email] [phone] [card] [iban] [ssn] [ip]"});
}

BOOST_AUTO_TEST_CASE(finds_what_has_the_fewest_digits_of_its_kind) {
  BOOST_TEST(found("a@b.org") == "email<a@b.org>");
  BOOST_TEST(found("1.2.3.4") == "ip<1.2.3.4>");
  BOOST_TEST(found("at ::1 now") == "ip<::1>");
  BOOST_TEST(found("phone 5550123") == "phone<5550123>");
  BOOST_TEST(found("MT11MALT10ABCDEFGHIJKLMNOPQRSTU") == "iban<MT11MALT10ABCDEFGHIJKLMNOPQRSTU>");
  BOOST_TEST(found("SSN 219099999") == "ssn<219099999>");
  BOOST_TEST(found("503800000005") == "card<503800000005>");
}

BOOST_AUTO_TEST_CASE(looks_again_beside_what_it_found) {
  BOOST_TEST(found("4111111111111111.a@b.org") == "email<4111111111111111.a@b.org>");
  BOOST_TEST(found("a@b.org4111111111111111") == "email<a@b.org> card<4111111111111111>");
  BOOST_TEST(
    found("415-555-2671-4111111111111111") == "phone<415-555-2671> card<4111111111111111>");
}

BOOST_AUTO_TEST_CASE(does_not_look_into_uuids) {
  check_none_holds_any({"49094111-1991-4060-a111-446655440000",
    "DE893704-0044-0532-0130-001234567890", "00491511-4060-4111-a111-446655440000"});
  BOOST_TEST(found("49094111-1991-4060-a111-446655440000@b.org")
             == "email<49094111-1991-4060-a111-446655440000@b.org>");
}

BOOST_AUTO_TEST_CASE(takes_long_texts_that_lead_nowhere) {
  constexpr size_t size = 1u << 18;
  for (const auto* piece :
    {"1 ", "12-", "001 ", "+1 ", "a@", "a.", "a", "1", "1.", "::1", "f:", "(12", "DE89 ", "0123 ",
      "phone ", "call me at ", "123-45-", "4111 ", "\u00A01", "@", "ssn "}) {
    std::string text;
    while (text.size() < size)
      text += piece;
    // A search that is not linear would exceed the test's timeout.
    auto spans = pii_detector{}.find(text);
    BOOST_TEST(std::all_of(spans.begin(), spans.end(),
      [&](const auto& x) { return x.length > 0 && x.offset + x.length <= text.size(); }));
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
