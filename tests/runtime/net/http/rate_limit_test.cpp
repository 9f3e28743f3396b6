#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/net/http/admission.hpp"

namespace scratchpage::test {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr http::rate_limit::time_point start{seconds{1'000}};

} // namespace

BOOST_AUTO_TEST_SUITE(rate_limits)

BOOST_AUTO_TEST_CASE(a_burst_is_let_through_and_then_one_by_one) {
  http::rate_limit limit{2, 3, 10};
  for (auto i = 0; i < 3; ++i)
    BOOST_TEST(!limit.take("a", start));
  BOOST_TEST((limit.take("a", start) == 1u));
  BOOST_TEST((limit.take("a", start + milliseconds{499}) == 1u));
  BOOST_TEST(!limit.take("a", start + milliseconds{500}));
  BOOST_TEST(limit.take("a", start + milliseconds{500}).has_value());
}

BOOST_AUTO_TEST_CASE(a_bucket_holds_no_more_than_a_burst) {
  http::rate_limit limit{100, 2, 10};
  for (auto at : {start, start + seconds{3'600}}) {
    BOOST_TEST(!limit.take("a", at));
    BOOST_TEST(!limit.take("a", at));
    BOOST_TEST(limit.take("a", at).has_value());
  }
}

BOOST_AUTO_TEST_CASE(peers_do_not_take_each_others_tokens) {
  http::rate_limit limit{1, 1, 10};
  BOOST_TEST(!limit.take("a", start));
  BOOST_TEST(!limit.take("b", start));
  BOOST_TEST(limit.take("a", start).has_value());
}

BOOST_AUTO_TEST_CASE(the_wait_is_as_long_as_a_token_takes) {
  http::rate_limit limit{0.1, 1, 10};
  BOOST_TEST(!limit.take("a", start));
  BOOST_TEST((limit.take("a", start) == 10u));
  BOOST_TEST((limit.take("a", start + seconds{7}) == 3u));
}

BOOST_AUTO_TEST_CASE(a_clock_that_goes_back_gives_nothing) {
  http::rate_limit limit{1, 1, 10};
  BOOST_TEST(!limit.take("a", start + seconds{5}));
  BOOST_TEST((limit.take("a", start) == 1u));
}

BOOST_AUTO_TEST_CASE(the_peer_that_was_silent_longest_is_forgotten) {
  http::rate_limit limit{1, 1, 2};
  BOOST_TEST(!limit.take("a", start));
  BOOST_TEST(!limit.take("b", start));
  BOOST_TEST(limit.take("a", start).has_value()); // "a" was active again
  BOOST_TEST(!limit.take("c", start));            // replaces "b"
  BOOST_TEST(limit.known_peers() == 2u);
  BOOST_TEST(limit.take("a", start).has_value());
  BOOST_TEST(limit.take("c", start).has_value());
  BOOST_TEST(!limit.take("b", start));
}

BOOST_AUTO_TEST_CASE(no_limit_lets_all_through_and_knows_nobody) {
  http::rate_limit limit{0, 1, 2};
  for (auto i = 0; i < 100; ++i)
    BOOST_TEST(!limit.take("a", start));
  BOOST_TEST(limit.known_peers() == 0u);
}

BOOST_AUTO_TEST_CASE(a_network_of_ipv6_is_one_peer) {
  using http::peer_key;
  BOOST_TEST(peer_key("192.0.2.1") == "192.0.2.1");
  BOOST_TEST(peer_key("local") == "local");
  BOOST_TEST(peer_key("2001:db8::1") == "2001:db8::/64");
  BOOST_TEST(peer_key("2001:db8:0:0:1:2:3:4") == "2001:db8::/64");
  BOOST_TEST(peer_key("2001:db8:0:1::1") == "2001:db8:0:1::/64");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
