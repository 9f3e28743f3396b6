#include <cstdlib>

#include "scratchpage/tests/runtime/mcp/client/real_server.hpp"
#include "scratchpage/tests/runtime/mcp/client/scripted_server.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// MCP servers over Streamable HTTP.

namespace scratchpage::test {

namespace {

/// Creates a file with a key and a self-signed certificate for that name.
std::string certificate(const temp_dir& dir, const std::string& name) {
  auto file = (dir.path() / "certificate.pem").string();
  auto command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
                 "-subj /CN=scripted -addext subjectAltName="
                 + name + " -keyout '" + file + "' -out '" + file + ".crt' 2>/dev/null && cat '"
                 + file + ".crt' >> '" + file + "'";
  BOOST_REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

/// Makes this certificate the only trusted one.
void trust(const temp_dir& dir) {
  ::setenv("SSL_CERT_FILE", (dir.path() / "certificate.pem.crt").c_str(), 1);
}

mcp_client::server_config over_tls(const scripted_http_server& x) {
  auto result = x.config();
  result.url.replace(0, 4, "https");
  return result;
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

BOOST_AUTO_TEST_CASE(what_a_tool_wants_in_the_head_is_said_there) {
  scripted_http_server there{{"modern"}};
  start(there.config());
  tools();
  for (const auto* text : {"us-west1", "", " blank ends ", "Größe\\nzwei", "=?base64?"})
    BOOST_TEST(call("echo", std::string{"{\"text\": \""} + text + "\"}").starts_with("ok"), text);
  BOOST_TEST(call("echo").starts_with("ok"));
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

BOOST_AUTO_TEST_CASE(a_server_with_a_valid_certificate_is_spoken_to) {
  temp_dir dir;
  scripted_http_server there{{"tls", certificate(dir, "IP:127.0.0.1")}};
  trust(dir);
  start(over_tls(there));
  tools();
  BOOST_TEST(call("echo", R"({"text": "hello"})") == "ok hello");
}

BOOST_AUTO_TEST_CASE(one_whose_certificate_is_of_somebody_else_is_not) {
  temp_dir dir;
  scripted_http_server there{{"tls", certificate(dir, "DNS:tools.example")}};
  trust(dir);
  start(over_tls(there));
  BOOST_TEST(tools() == "");
  BOOST_TEST(contains(traced("connect"), "could not agree on TLS"));
}

BOOST_AUTO_TEST_CASE(one_whose_certificate_nobody_vouches_for_is_not) {
  temp_dir dir;
  temp_dir other;
  scripted_http_server there{{"tls", certificate(dir, "IP:127.0.0.1")}};
  certificate(other, "IP:127.0.0.1");
  trust(other);
  start(over_tls(there));
  BOOST_TEST(tools() == "");
  BOOST_TEST(contains(traced("connect"), "could not agree on TLS"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
