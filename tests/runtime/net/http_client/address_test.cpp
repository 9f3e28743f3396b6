#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/net/http_client/address.hpp"

namespace scratchpage::http_client {

BOOST_AUTO_TEST_CASE(an_address_has_a_host_a_port_and_a_target) {
  auto x = read_address("https://tools.example/mcp?x=1");
  BOOST_REQUIRE(x);
  BOOST_TEST(x->secure);
  BOOST_TEST(x->host == "tools.example");
  BOOST_TEST(x->port == "443");
  BOOST_TEST(x->target == "/mcp?x=1");
  auto v6 = read_address("http://[::1]:8080");
  BOOST_REQUIRE(v6);
  BOOST_TEST(v6->host == "::1");
  BOOST_TEST(v6->port == "8080");
  BOOST_TEST(v6->target == "/");
  BOOST_TEST(v6->authority == "[::1]:8080");
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_refused) {
  for (const auto* text : {"", "ftp://a", "http://", "http://:80", "http://a:0", "http://a:x",
         "http://a:70000", "http://user:word@a/", "http://a/#b", "http://a b/", "http://a/\r\nX: y",
         "http://[::1", "http://[::1]x"})
    BOOST_TEST(!read_address(text), text);
}

} // namespace scratchpage::http_client
