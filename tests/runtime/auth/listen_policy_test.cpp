#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/tests/support/contains.hpp"

namespace scratchpage::test {

namespace {

std::string said(const auth::listen_plan& x) {
  auto err = auth::check_listening(x);
  return err ? describe(err) : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_server)

BOOST_AUTO_TEST_CASE(may_listen_on_this_machine_alone_as_it_is) {
  for (const auto* address :
    {"127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost", "/run/page.sock"})
    BOOST_TEST(said({address}) == "", address);
}

BOOST_AUTO_TEST_CASE(may_listen_elsewhere_with_tls_and_a_token) {
  for (const auto* address : {"0.0.0.0", "::", "192.168.1.2", "page.example.com", "", "127.1"})
    BOOST_TEST(said({address, true, true}) == "", address);
}

BOOST_AUTO_TEST_CASE(may_not_listen_elsewhere_without_and_says_what_is_missing) {
  for (const auto* address :
    {"0.0.0.0", "::", "192.168.1.2", "localhost.example.com", "", "127.1"}) {
    BOOST_TEST(said({address}).starts_with("invalid_request: --listen: expected"), address);
    BOOST_TEST(!said({address, true, false}).empty(), address);
    BOOST_TEST(!said({address, false, true}).empty(), address);
  }
  BOOST_TEST(contains(said({"0.0.0.0"}), "--tls-certificate and --tls-key, and a token"));
  BOOST_TEST(!contains(said({"0.0.0.0", true, false}), "--tls"));
  BOOST_TEST(contains(said({"0.0.0.0", true, false}), "scratchpage token add"));
  BOOST_TEST(!contains(said({"0.0.0.0", false, true}), "token add"));
  BOOST_TEST(contains(said({"0.0.0.0", false, true}), "--tls-certificate"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
