#include "scratchpage/tests/runtime/mcp/client/real_server.hpp"
#include "scratchpage/tests/runtime/mcp/client/scripted_server.hpp"
#include "scratchpage/tests/support/contains.hpp"

/// MCP servers that are programs. They run in real time, so these tests do too.

namespace scratchpage::test {

namespace {

constexpr auto all_tools =
  "die echo environment erase fail flood grow hang picture read told wrong_id";

} // namespace

BOOST_FIXTURE_TEST_SUITE(program, real_server)

BOOST_AUTO_TEST_CASE(its_tools_are_listed_and_called) {
  start(scripted_program());
  BOOST_TEST(tools() == all_tools);
  BOOST_TEST(call("echo", R"({"text": "hello"})") == "ok hello");
  BOOST_TEST(call("echo", R"({"text": "Zürich\nline"})") == "ok Zürich\nline");
  BOOST_TEST(call("fail") == R"(error {"error":"no such planet"})");
  BOOST_TEST(contains(call("picture"), R"("type":"image")"));
  BOOST_TEST(contains(traced("connect"), R"("server":"scripted 1","version":"2025-11-25")"));
}

BOOST_AUTO_TEST_CASE(pages_are_read_to_the_end) {
  start(scripted_program({"pages"}));
  BOOST_TEST(tools() == all_tools);
}

BOOST_AUTO_TEST_CASE(older_and_newer_revisions_are_spoken) {
  start(scripted_program({"old"}));
  BOOST_TEST(tools() == all_tools);
  BOOST_TEST(contains(traced("connect"), "2024-11-05"));
  end();
  start(scripted_program({"modern"}));
  BOOST_TEST(tools() == all_tools);
  BOOST_TEST(call("echo", R"({"text": "hello"})") == "ok hello");
  BOOST_TEST(contains(traced("connect"), "2026-07-28"));
}

BOOST_AUTO_TEST_CASE(what_it_writes_for_people_is_passed_over) {
  start(scripted_program({"babbles"}));
  BOOST_TEST(tools() == all_tools);
  BOOST_TEST(call("wrong_id") == "ok for you");
}

BOOST_AUTO_TEST_CASE(what_it_asks_is_refused_and_a_ping_answered) {
  start(scripted_program({"asks"}));
  tools();
  BOOST_TEST(
    call("told") == "ok notifications/initialized answer result answer -32601 answer -32601");
}

BOOST_AUTO_TEST_CASE(one_that_never_answers_the_greeting_is_given_up) {
  auto silent = scripted_program({"silent"});
  silent.connect_timeout_ms = 50;
  start(silent);
  BOOST_TEST(tools() == "");
  BOOST_TEST(contains(traced("connect"), "was not ready within 50 ms"));
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_started_says_why) {
  mcp_client::server_config missing;
  missing.command = "no_such_program_anywhere";
  start(missing);
  BOOST_TEST(tools() == "");
  BOOST_TEST(contains(call("echo"), "no_such_program_anywhere: No such file or directory"));
}

BOOST_AUTO_TEST_CASE(one_that_dies_tells_how_and_comes_back) {
  start(scripted_program());
  tools();
  BOOST_TEST(call("die")
             == R"(error {"error":"box did not answer: connection lost: exited with status 7; )"
                R"(its standard error ends with: out of cheese?","error_class":"transient"})");
  BOOST_TEST(call("echo", R"({"text": "back"})", 30'000) == "ok back");
}

BOOST_AUTO_TEST_CASE(a_call_that_hangs_is_a_timeout_and_cancelled) {
  start(scripted_program());
  tools();
  BOOST_TEST(call("hang", "{}", 50).starts_with("timeout "));
  BOOST_TEST(call("told") == "ok notifications/initialized notifications/cancelled");
}

BOOST_AUTO_TEST_CASE(a_long_result_is_cut_and_a_line_without_end_is_a_failure) {
  auto small = scripted_program();
  small.max_result_bytes = 2048;
  start(small);
  tools();
  BOOST_TEST(call("flood", R"({"bytes": 5000})").starts_with("partial xxx"));
  BOOST_TEST(
    contains(call("flood", R"({"bytes": 3000000})"), "wrote a line of more than 1056768 bytes"));
  BOOST_TEST(call("echo", R"({"text": "back"})", 30'000) == "ok back");
}

BOOST_AUTO_TEST_CASE(tools_that_are_new_are_there_after_the_next_answer) {
  start(scripted_program());
  tools();
  BOOST_TEST(call("grow", R"({"name": "sing"})") == "ok grown");
  call("echo"); // messages sent before its answer have arrived
  BOOST_TEST(call("told") == "ok notifications/initialized");
  BOOST_TEST(contains(tools(), "sing"));
}

BOOST_AUTO_TEST_CASE(it_has_the_environment_that_it_was_given_and_no_other_secrets) {
  ::setenv("SCRATCHPAGE_TEST_SECRET", "none-of-its-business", 1);
  auto config = scripted_program();
  config.env["GIVEN"] = "${SCRATCHPAGE_TEST_SECRET}";
  start(config);
  tools();
  BOOST_TEST(call("environment", R"({"names": ["GIVEN", "SCRATCHPAGE_TEST_SECRET"]})")
             == "ok GIVEN=none-of-its-business SCRATCHPAGE_TEST_SECRET=");
}

BOOST_AUTO_TEST_CASE(one_that_will_not_end_is_ended) {
  start(scripted_program({"stubborn"}));
  tools();
  end(); // must return
  BOOST_TEST(!server);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
