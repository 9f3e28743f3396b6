#include "scratchpage/tests/persistence/privacy/found.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(ip_addresses)

BOOST_AUTO_TEST_CASE(of_version_4_are_found) {
  check_each_holds(pii_kind::ip, {
                                   "<192.168.1.10>",
                                   "<0.0.0.0>",
                                   "<255.255.255.255>",
                                   "<1.2.3.4>",         // or a version; to miss an address is worse
                                   "version <1.2.3.4>", // the same
                                   "from <10.0.0.1>.",
                                   "from <10.0.0.1>, and",
                                   "<10.0.0.1>:8080",
                                   "<10.0.0.0>/8",
                                   "http://<10.0.0.1>/index",
                                   "http://<10.0.0.1>.example.com",
                                   "ip:<10.0.0.1>",
                                   "host-<10.0.0.1>",
                                   "(<10.0.0.1>)",
                                   "地址<10.0.0.1>。",
                                 });
  BOOST_TEST(found("10.0.0.1-10.0.0.9") == "ip<10.0.0.1> ip<10.0.0.9>");
  BOOST_TEST(found("10.0.0.1, 10.0.0.9") == "ip<10.0.0.1> ip<10.0.0.9>");
}

BOOST_AUTO_TEST_CASE(of_version_6_are_found_in_every_form) {
  check_each_holds(pii_kind::ip, {
                                   "<2001:0db8:85a3:0000:0000:8a2e:0370:7334>",
                                   "<2001:db8:85a3:0:0:8a2e:370:7334>",
                                   "<2001:db8:85a3::8a2e:370:7334>",
                                   "<2001:DB8::8A2E>",
                                   "<::1>",
                                   "<2001:db8::>",
                                   "<1::>",
                                   "<::ffff:192.0.2.128>",
                                   "<::192.0.2.128>",
                                   "<64:ff9b::192.0.2.33>",
                                   "<0:0:0:0:0:ffff:192.0.2.128>",
                                   "<fe80::1>%eth0",
                                   "<2001:db8::1>/64",
                                   "[<2001:db8::1>]:443",
                                   "http://[<2001:db8::1>]/",
                                   "from <2001:db8::1>.",
                                   "from <2001:db8::1>: refused",
                                   "from <2001:db8::>.",
                                   "ip:<2001:db8::1>",
                                   "node:<fe80::1>",
                                   "address:<fe80::1>",
                                   "地址<2001:db8::1>。",
                                 });
  BOOST_TEST(
    found("2001:db8::1 2001:db8::2,10.0.0.1") == "ip<2001:db8::1> ip<2001:db8::2> ip<10.0.0.1>");
}

BOOST_AUTO_TEST_CASE(are_nothing_else_with_dots_and_colons) {
  check_none_holds_any({
    "1.2.3",
    "1.2.3.4.5",
    "v1.2.3.4",
    "1.2.3.4b",
    "1.2.3.256",
    "01.02.03.04",
    "1.2..3.4",
    "1234.1.1.1",
    "120.0.6099.109",
    "1.234.567",
    "10:30",
    "10:30:00",
    "2025-11-05T10:30:00.000Z",
    "00:1a:2b:3c:4d:5e",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "12345::1",
    "2001:db8::1x",
    "::",
    ":::",
    "std::vector",
    "ab::cd",
    "std::array<int, 3>",
    "foo::bar::baz",
    "caf::sec",
    "a:b:c",
    "sha256:9f86d081884c7d65",
    "::ffff:192.0.2.256",
    "key: value",
  });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
