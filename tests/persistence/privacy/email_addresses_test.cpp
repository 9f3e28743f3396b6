#include "scratchpage/tests/persistence/privacy/found.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(email_addresses)

BOOST_AUTO_TEST_CASE(are_found_without_what_stands_around) {
  check_each_holds(pii_kind::email, {
                                      "<jane@example.com>",
                                      "Write to <jane.doe@example.com>.",
                                      "Write to <jane.doe@example.com>, please",
                                      "Jane (<jane@example.com>) and",
                                      "Jane \"<jane@example.com>\"",
                                      "'<jane@example.com>'",
                                      "mailto:<jane@example.com>?subject=x",
                                      "user=<jane@example.com>&next=1",
                                      "[<jane@example.com>]",
                                      "{\"to\":\"<jane@example.com>\"}",
                                    });
}

BOOST_AUTO_TEST_CASE(have_many_forms) {
  check_each_holds(pii_kind::email, {
                                      "<a@b.co>",
                                      "<JANE@EXAMPLE.COM>",
                                      "<jane+news@example.com>",
                                      "<jane_doe-x%y@example.com>",
                                      "<o'brien@example.ie>",
                                      "<1234567890@example.com>",
                                      "<4111111111111111@example.com>",
                                      "<jane@mail.eu.example.museum>",
                                      "<jane@a-b.example>",
                                      "<jane@1and1.com>",
                                      "<jane@example.xn--p1ai>",
                                      "<jane@xn--bcher-kva.example>",
                                      "<josé@example.com>",
                                      "<müller@bücher.example>",
                                      "<иван@пример.рф>",
                                      "<jane@[192.0.2.1]>",
                                      "<jane@[IPv6:2001:db8::1]>",
                                      "<jane..doe@example.com>",
                                      "<_jane@example.com>",
                                    });
  check_each_holds(
    pii_kind::email, {"<" + std::string(70, 'a') + "@example.com>"}); // longer than allowed
}

BOOST_AUTO_TEST_CASE(end_with_their_domain) {
  check_each_holds(pii_kind::email, {
                                      "<jane@example.com>...",
                                      "<jane@example.com>-",
                                      "<jane@example.com>/path",
                                      "<jane@example.com>:22",
                                      "<jane@example.com>请回复",
                                      "请写信给<jane@example.com>。",
                                    });
  BOOST_TEST(found("a@b.org,c@d.org;e@f.org") == "email<a@b.org> email<c@d.org> email<e@f.org>");
}

BOOST_AUTO_TEST_CASE(are_nothing_else_with_an_at_sign) {
  check_none_holds_any({
    "@",
    "a@b",
    "root@localhost",
    "@jane",
    "see @jane.doe",
    "lodash@4.17.21",
    "@types/node@18.0.0",
    "icon@2x.png",
    "jane@example.c",
    "jane@.com",
    "jane@example",
    "jane@-example-.c",
    "jane at example.com",
    "jane@ example.com",
    "5 @ 3.50",
    "@@@@",
    "meet @ cafe.example",
  });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
