#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"

/// Checks of `Host` and `Origin`, which tell whether a request was meant for this server.

namespace scratchpage::test {

namespace {

using auth::host_check;

http::request asked(std::vector<http::header> headers) {
  http::request result;
  result.headers = std::move(headers);
  return result;
}

/// The header that is refused; "" if both are allowed.
std::string refused(const host_check& by, const std::string& host, const std::string& origin = {}) {
  std::vector<http::header> headers{{"host", host}};
  if (!origin.empty())
    headers.push_back({"origin", origin});
  auto err = by.check(asked(std::move(headers)));
  BOOST_TEST((!err || code_of(err) == errc::forbidden));
  return err ? field_of(err) : "";
}

host_check with(const std::vector<std::string>& names) {
  auto made = host_check::make(names);
  BOOST_REQUIRE(made);
  return *made;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_host_check)

BOOST_AUTO_TEST_CASE(lets_this_machine_call_itself_by_any_port) {
  host_check x;
  for (const auto* host : {"localhost", "localhost:8080", "LocalHost:1", "127.0.0.1",
         "127.0.0.1:80", "127.3.2.1:80", "[::1]", "[::1]:65535"})
    BOOST_TEST(refused(x, host) == "", host);
}

BOOST_AUTO_TEST_CASE(refuses_a_name_that_was_made_to_point_here) {
  host_check x;
  for (const auto* host : {"evil.example", "evil.example:8080", "localhost.evil.example",
         "127.0.0.1.evil.example", "evil.example:127.0.0.1", "192.168.1.2:8080", "0.0.0.0", "[::]",
         "[fe80::1]:80", "128.0.0.1", "10.127.0.1"})
    BOOST_TEST(refused(x, host) == "host", host);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_host_at_all) {
  host_check x;
  for (const auto* host : {"", ":80", "localhost:", "localhost:x", "localhost:123456", "a b",
         "localhost, evil.example", "user@localhost", "localhost/", "[::1", "::1]", "[]",
         "[localhost]", "localhost\n", "127.1", "0x7f.0.0.1", "2130706433"})
    BOOST_TEST(refused(x, host) == "host", host);
  BOOST_TEST(refused(x, std::string(100'000, 'a')) == "host");
  using namespace std::string_literals;
  BOOST_TEST(refused(x, "localhost\0.evil.example"s) == "host");
  BOOST_TEST(refused(x, "127.0.0.1\0"s) == "host");
}

BOOST_AUTO_TEST_CASE(needs_exactly_one_host_and_at_most_one_origin) {
  host_check x;
  BOOST_TEST(field_of(x.check(asked({}))) == "host");
  BOOST_TEST(field_of(x.check(asked({{"host", "localhost"}, {"host", "localhost"}}))) == "host");
  http::header origin{"origin", "http://localhost"};
  BOOST_TEST(field_of(x.check(asked({{"host", "localhost"}, origin, origin}))) == "origin");
  BOOST_TEST(!x.check(asked({{"accept", "*"}, {"host", "localhost"}, origin})));
}

BOOST_AUTO_TEST_CASE(lets_pages_of_this_machine_call_and_no_others) {
  host_check x;
  for (const auto* origin :
    {"http://localhost", "http://localhost:3000", "https://127.0.0.1:8443", "http://[::1]:3000"})
    BOOST_TEST(refused(x, "localhost", origin) == "", origin);
  for (const auto* origin : {"https://evil.example", "http://localhost.evil.example", "null",
         "localhost", "file://localhost", "http://", "http://localhost/path", "ws://localhost",
         "http://evil@localhost", "http://localhost http://evil.example"})
    BOOST_TEST(refused(x, "localhost", origin) == "origin", origin);
}

BOOST_AUTO_TEST_CASE(knows_the_names_that_were_configured) {
  auto x = with({"Page.example.com", "other.example.com:8443", "[2001:db8::1]"});
  for (const auto* host : {"page.example.com", "PAGE.EXAMPLE.COM:8443", "other.example.com:8443",
         "[2001:DB8::1]:80", "localhost:1"})
    BOOST_TEST(refused(x, host) == "", host);
  for (const auto* host :
    {"example.com", "other.example.com", "other.example.com:80", "a.page.example.com"})
    BOOST_TEST(refused(x, host) == "host", host);
  BOOST_TEST(refused(x, "localhost", "https://page.example.com") == "");
  BOOST_TEST(refused(x, "localhost", "https://other.example.com") == "origin");
}

BOOST_AUTO_TEST_CASE(knows_an_origin_that_is_no_name_of_the_server) {
  auto x = with({"https://app.example.com"});
  BOOST_TEST(refused(x, "localhost", "https://app.example.com") == "");
  BOOST_TEST(refused(x, "localhost", "http://app.example.com") == "origin");
  BOOST_TEST(refused(x, "localhost", "https://app.example.com:8443") == "origin");
  BOOST_TEST(refused(x, "app.example.com") == "host");
}

BOOST_AUTO_TEST_CASE(is_not_made_of_what_is_neither_a_name_nor_an_origin) {
  for (const auto* name :
    {"", "*", "a b", "page.example.com:", "ftp://a", "https://", "https://a/path", "[::1"}) {
    auto made = host_check::make({name});
    BOOST_TEST(!made, name);
    BOOST_TEST((code_of(made.error()) == errc::invalid_request));
  }
}

BOOST_AUTO_TEST_CASE(says_what_came_without_what_could_steer_a_terminal) {
  auto said = describe(host_check{}.check(asked({{"host", "\x1b[2Jevil"}})));
  BOOST_TEST(said.find('\x1b') == std::string::npos);
  BOOST_TEST(said.find("evil") != std::string::npos);
  auto most = describe(host_check{}.check(asked({{"host", std::string(100'000, 'a')}})));
  BOOST_TEST(most.size() < 1'000u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
