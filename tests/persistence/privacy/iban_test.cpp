#include "scratchpage/persistence/privacy/pii_finders.hpp"

#include "scratchpage/tests/persistence/privacy/found.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(ibans)

BOOST_AUTO_TEST_CASE(are_found_of_many_countries) {
  check_each_holds(pii_kind::iban, {
                                     "<AT611904300234573201>",
                                     "<BE68539007547034>",
                                     "<BR1800360305000010009795493C1>",
                                     "<CH9300762011623852957>",
                                     "<DE89370400440532013000>",
                                     "<ES9121000418450200051332>",
                                     "<FR1420041010050500013M02606>",
                                     "<GB82WEST12345698765432>",
                                     "<IT60X0542811101000000123456>",
                                     "<LC55HEMM000100010012001200023015>",
                                     "<MT84MALT011000012345MTLCAST001S>",
                                     "<NL91ABNA0417164300>",
                                     "<NO9386011117947>",
                                     "<PL61109010140000071219812874>",
                                     "<SA0380000000608010167519>",
                                   });
}

BOOST_AUTO_TEST_CASE(are_found_however_they_are_written) {
  check_each_holds(pii_kind::iban, {
                                     "<DE89 3704 0044 0532 0130 00>",
                                     "<de89 3704 0044 0532 0130 00>",
                                     "<DE89-3704-0044-0532-0130-00>",
                                     "<DE89 370400440532013000>",
                                     "<DE89\u00A03704\u00A00044\u00A00532\u00A00130\u00A000>",
                                     "IBAN: <GB82 WEST 1234 5698 7654 32>.",
                                     "IBAN <DE89370400440532013000> BIC COBADEFFXXX",
                                     "iban=<DE89370400440532013000>&x=1",
                                     "从<DE89370400440532013000>到",
                                   });
}

BOOST_AUTO_TEST_CASE(are_no_other_words) {
  check_none_holds_any({
    "DE88370400440532013000",   // wrong check digits
    "DE8937040044053201300",    // too short
    "DE893704004405320130000",  // too long
    "XX89370400440532013000",   // unknown country
    "DE89 37 0400440532013000", // space not after a fourth character
    "DE89,3704,0044,0532,0130,00",
    "ID_DE89370400440532013000",
    "DE89370400440532013000x",
    "AT10 items were sold today",
    "no12 this is a text",
    "DE89",
    "GB82",
    "COBADEFFXXX",
  });
}

BOOST_AUTO_TEST_CASE(have_check_digits_from_02_to_98) {
  BOOST_TEST(is_iban("GB82WEST12345698765432"));
  BOOST_TEST(!is_iban("GB82west12345698765432"));
  BOOST_TEST(!is_iban(""));
  BOOST_TEST(!is_iban("DE"));
  // 00 and 97 have the same remainder, but only 97 is used as check digits.
  for (int account = 0; account < 1000; ++account) {
    auto rest = std::to_string(370400440532013000 + account);
    BOOST_TEST(!is_iban("DE00" + rest));
    BOOST_TEST(!is_iban("DE01" + rest));
    BOOST_TEST(!is_iban("DE99" + rest));
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
