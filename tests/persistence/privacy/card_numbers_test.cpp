#include "scratchpage/persistence/privacy/pii_finders.hpp"

#include "scratchpage/tests/persistence/privacy/found.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(card_numbers)

BOOST_AUTO_TEST_CASE(have_a_check_digit) {
  BOOST_TEST(passes_luhn("79927398713"));
  BOOST_TEST(passes_luhn("0"));
  for (const auto* text : {"79927398710", "79927398714", "1", ""})
    BOOST_TEST(!passes_luhn(text));
}

BOOST_AUTO_TEST_CASE(are_found_of_every_issuer) {
  check_each_holds(pii_kind::card,
    {
      "<4111111111111111>",    // Visa
      "<4222222222222>",       // Visa of 13 digits
      "<5555555555554444>",    // Mastercard
      "<2223003122003222>",    // Mastercard
      "<378282246310005>",     // American Express
      "<30569309025904>",      // Diners Club
      "<38520000023237>",      // Diners Club
      "<6011111111111117>",    // Discover
      "<3530111333300000>",    // JCB
      "<6200000000000005>",    // UnionPay
      "<6205500000000000004>", // UnionPay of 19 digits
      "<6759649826438453>",    // Maestro
      "<2200000000000004>",    // Mir
    });
}

BOOST_AUTO_TEST_CASE(are_found_however_they_are_written) {
  check_each_holds(pii_kind::card,
    {
      "<4111 1111 1111 1111>", "<4111-1111-1111-1111>", "<4111.1111.1111.1111>",
      "<4111 1111-1111 1111>", "<41 11 11 11 11 11 11 11>", "<411111 1111111111>",
      "<3782 822463 10005>", "<3056 930902 5904>", "<4111\u00A01111\u00A01111\u00A01111>",
      "<4111\u20111111\u20111111\u20111111>", "card:<4111111111111111>.", "card-<4111111111111111>",
      "卡号<4111111111111111>。", "(<4111 1111 1111 1111>)",
      "phone <4111 1111 1111 1111>", // the most specific kind
    });
}

BOOST_AUTO_TEST_CASE(are_found_beside_other_numbers) {
  check_each_holds(pii_kind::card, {
                                     "<4111 1111 1111 1111> 123",
                                     "<4111 1111 1111 1111> 12/27",
                                     "<4111111111111111> 12 27 123",
                                     "5 <4111 1111 1111 1111>",
                                     "2025 <4111111111111111> 7",
                                     "1 <3782 822463 10005> 2",
                                   });
  BOOST_TEST(found("4111 1111 1111 1111 5555 5555 5555 4444")
             == "card<4111 1111 1111 1111> card<5555 5555 5555 4444>");
  BOOST_TEST(
    found("4111111111111111,5555555555554444") == "card<4111111111111111> card<5555555555554444>");
}

BOOST_AUTO_TEST_CASE(are_no_other_numbers) {
  check_none_holds_any({
    "4111111111111112",
    "4111 1111 1111 1112",
    "3782 822463 10006",
    "1111111111111117", // no issuer has this prefix
    "0000000000000000",
    "411111111111116",   // no Visa card has 15 digits
    "41111111111111111", // or 17
    "order_4111111111111111",
    "x4111111111111111",
    "4111111111111111x",
    "4111,1111,1111,1111",
    "4111 / 1111 / 1111 / 1111",
    "1762338600000",
    "1762338600000000000",
    "20251105103000",
    "12345678-1234-1234-1234-123456789012",
  });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
