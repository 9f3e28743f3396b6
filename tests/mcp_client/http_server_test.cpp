#include "scratchpage/tests/mcp_client/real_server.hpp"
#include "scratchpage/tests/mcp_client/scripted_server.hpp"

/// Servers over Streamable HTTP.

namespace scratchpage::test {

namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_server, real_server)

BOOST_AUTO_TEST_CASE(tools_are_listed_and_called_and_the_session_is_given_back) {
  scripted_http_server there;
  start(there.config());
  BOOST_TEST(contains(tools(), "echo"));
  BOOST_TEST(call("echo", R"({"text": "hello"})") == "ok hello");
  BOOST_TEST(call("fail") == R"(error {"error":"no such planet"})");
  end();
  BOOST_TEST(there.next_line() == "session ended");
}

BOOST_AUTO_TEST_CASE(an_answer_may_be_a_stream) {
  scripted_http_server there{{"stream"}};
  start(there.config());
  tools();
  BOOST_TEST(call("echo", R"({"text": "hello"})") == "ok hello");
}

BOOST_AUTO_TEST_CASE(a_stream_that_breaks_is_gone_on_with) {
  scripted_http_server there{{"stream", "breaks"}};
  start(there.config());
  tools();
  BOOST_TEST(call("echo", R"({"text": "hello"})") == "ok hello");
}

BOOST_AUTO_TEST_CASE(the_revision_without_a_greeting_is_spoken) {
  scripted_http_server there{{"modern"}};
  start(there.config());
  BOOST_TEST(contains(tools(), "echo"));
  BOOST_TEST(call("echo", R"({"text": "hello"})") == "ok hello");
  BOOST_TEST(contains(traced("connect"), "2026-07-28"));
}

BOOST_AUTO_TEST_CASE(a_session_that_is_gone_is_begun_again) {
  scripted_http_server there{{"forgetful"}};
  start(there.config());
  tools();
  BOOST_TEST(contains(call("echo"), "connection lost: the server has ended the session"));
  BOOST_TEST(call("echo", R"({"text": "back"})", 30'000) == "ok back");
}

BOOST_AUTO_TEST_CASE(a_call_that_hangs_is_a_timeout_and_the_next_one_is_answered) {
  scripted_http_server there;
  start(there.config());
  tools();
  BOOST_TEST(call("hang", "{}", 50).starts_with("timeout "));
  BOOST_TEST(call("echo", R"({"text": "still here"})") == "ok still here");
}

BOOST_AUTO_TEST_CASE(headers_are_sent_and_without_them_it_is_refused) {
  scripted_http_server there{{"secret"}};
  auto with = there.config();
  with.headers["Authorization"] = "Bearer open-sesame";
  start(with);
  BOOST_TEST(contains(tools(), "echo"));
  end();
  start(there.config());
  BOOST_TEST(tools() == "");
  BOOST_TEST(contains(call("echo"), "answered with HTTP status 401 Unauthorized"));
}

BOOST_AUTO_TEST_CASE(a_result_beyond_all_bounds_is_a_failure) {
  scripted_http_server there;
  auto small = there.config();
  small.max_result_bytes = 1024;
  start(small);
  tools();
  BOOST_TEST(contains(call("flood", R"({"bytes": 3000000})"), "answered with more than"));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_said_to_be) {
  std::string gone;
  {
    scripted_http_server there;
    gone = there.config().url;
  }
  mcp_client::server_config config;
  config.url = gone;
  start(config);
  BOOST_TEST(tools() == "");
  BOOST_TEST(contains(traced("connect"), "could not connect: Connection refused"));
}

BOOST_AUTO_TEST_CASE(a_server_whose_certificate_is_not_trusted_is_not_spoken_to) {
  scripted_http_server there; // speaks no TLS at all
  auto config = there.config();
  config.url.replace(0, 4, "https");
  start(config);
  BOOST_TEST(tools() == "");
  BOOST_TEST(contains(traced("connect"), "could not agree on TLS"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
