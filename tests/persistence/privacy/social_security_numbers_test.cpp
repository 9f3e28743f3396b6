#include "scratchpage/tests/persistence/privacy/found.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(social_security_numbers)

BOOST_AUTO_TEST_CASE(are_found) {
  check_each_holds(pii_kind::ssn, {
                                    "<123-45-6789>",
                                    "<123 45 6789>",
                                    "<123.45.6789>",
                                    "<001-01-0001>",
                                    "<899-99-9999>",
                                    "<665-12-3456>",
                                    "<667-12-3456>",
                                    "<012-34-5678>", // not a phone number
                                    "SSN <123-45-6789>.",
                                    "SSN: <123456789>",
                                    "ssn=<123456789>",
                                    "Social Security number is <123456789>",
                                    "<123\u201145\u20116789>",
                                    "born 1980 <123-45-6789>",
                                    "Jane,<123-45-6789>,30",
                                    "号码<123-45-6789>。",
                                    "phone <123-45-6789>",
                                  });
}

BOOST_AUTO_TEST_CASE(are_no_other_numbers) {
  check_none_holds_any({
    "000-12-3456",
    "666-12-3456",
    "900-12-3456",
    "987-65-4321",
    "123-00-4567",
    "012-00-4567",
    "123-45-0000",
    "ssn 000123456",
    "phone 666-12-3456",
    "123456789",
    "123-456-789",
    "123-45 6789",
    "123-45-67890",
    "4123-45-6789",
    "1-123-45-6789",
    "123-45-6789-1",
    "10 123 45 6789 20",
    "x123-45-6789",
    "123-45-6789_a",
    "123-45-678",
    "12-345-6789",
    "2025-11-05",
  });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
