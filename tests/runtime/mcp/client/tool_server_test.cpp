#include "scratchpage/runtime/mcp/client/tool_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>

#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/support/tools.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// Connecting, calling and reconnecting on virtual time. The test is the server.

namespace scratchpage::mcp_client {

namespace {

using namespace std::literals;
using test::object;
using test::request;
using test::summary;

/// One connection, as the test sees it.
struct line {
  event_sink sink;
  std::deque<json::object> sent;
  bool closed = false;
  bool full = false;
};

class fake_transport : public transport {
public:
  explicit fake_transport(std::shared_ptr<line> x)
    : line_{std::move(x)} {}
  ~fake_transport() override { line_->closed = true; }

  bool send(const json::object& message, timespan) override {
    if (!line_->full)
      line_->sent.push_back(message);
    return !line_->full;
  }

private:
  std::shared_ptr<line> line_;
};

struct lines {
  std::vector<std::shared_ptr<line>> all;
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
};

struct fixture : lines, test::virtual_time {
  tool_server_setup setup;
  toolbox_actor box;

  fixture() {
    setup.name = "box";
    setup.config.command = "server";
    setup.config.timeout_ms = 1000;
    setup.config.connect_timeout_ms = 5000;
    setup.connect = [this](const server_config&, event_sink sink) {
      all.push_back(std::make_shared<line>());
      all.back()->sink = std::move(sink);
      return std::make_unique<fake_transport>(all.back());
    };
  }

  void spawn_server() {
    agent_context agent{"agent_1", clock, trace};
    toolbox_config config;
    config.allow_threads = false;
    std::vector<tool_source> sources{{"box.", make<tool_server>(agent, setup)}};
    box = make<toolbox_state>(agent, 1u, std::vector{test::function("own", own)}, config, sources);
    settle();
  }

  static tool_response own(const tool_request&) {
    tool_response result;
    result.outputs["n"] = 1;
    return result;
  }

  line& now_open() { return *all.back(); }

  json::object next() {
    BOOST_REQUIRE(!now_open().sent.empty());
    auto result = std::move(now_open().sent.front());
    now_open().sent.pop_front();
    return result;
  }

  void say(json::object message) {
    now_open().sink({transport_event::kind::message, to_text(message)});
    settle();
  }

  void answer(const json::object& to, json::object result) {
    say({{"jsonrpc", "2.0"}, {"id", to.at("id")}, {"result", std::move(result)}});
  }

  void end_line(std::string why) {
    now_open().sink({transport_event::kind::ended, std::move(why)});
    settle();
  }

  void come_up(json::array tools = {named("echo")}) {
    answer(next(),
      {{"protocolVersion", "2025-11-25"}, {"capabilities", {{"tools", {{"listChanged", true}}}}}});
    next(); // notifications/initialized
    answer(next(), {{"tools", std::move(tools)}});
  }

  static json::object named(const char* name) {
    return {{"name", name},
      {"inputSchema", {{"type", "object"}, {"properties", {{"n", {{"type", "integer"}}}}}}},
      {"annotations", {{"readOnlyHint", true}}}};
  }

  static json::object said(const char* text) {
    return {{"content", {{{"type", "text"}, {"text", text}}}}};
  }

  auto list() { return send(box, list_tools{as_daemon("probe")}); }

  std::string listed() {
    auto answer = list();
    settle();
    return answer->arrived() ? names(*answer) : "nothing yet";
  }

  static std::string names(const test::pending_answer<tool_list>& x) {
    BOOST_REQUIRE(x.arrived());
    BOOST_REQUIRE(*x.value);
    std::string result;
    for (const auto& tool : (*x.value)->tools)
      result.append(result.empty() ? "" : " ").append(tool->tool_id);
    return result;
  }

  auto call(std::string_view inputs = "{}", std::string tool = "box.echo") {
    auto result = send(box, request(std::move(tool), "t/1", object(inputs)));
    settle();
    return result;
  }

  static std::string outcome(const std::shared_ptr<test::pending_answer<tool_response>>& x) {
    if (!x->arrived())
      return "nothing yet";
    BOOST_REQUIRE(*x->value);
    const auto& response = **x->value;
    return response.outputs.contains("text") ? "ok " + test::output(response, "text")
                                             : summary(response);
  }

  std::string traced(std::string_view operation) {
    std::string result;
    for (const auto& x : trace->entries())
      if (x.component == "tool_server" && x.operation == operation)
        result.append(result.empty() ? "" : "; ").append(x.status + " " + to_text(x.detail));
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tool_server_test, fixture)

BOOST_AUTO_TEST_CASE(its_tools_are_the_agents_beside_its_own) {
  spawn_server();
  come_up();
  BOOST_TEST(listed() == "box.echo own");
  auto answered = call(R"({"n": 5})");
  auto asked = next();
  BOOST_TEST(to_text(asked.at("params")) == R"({"name":"echo","arguments":{"n":5}})");
  answer(asked, said("five"));
  BOOST_TEST(outcome(answered) == "ok five");
  BOOST_TEST(outcome(call("{}", "own")) == "ok n=1");
}

BOOST_AUTO_TEST_CASE(who_asks_for_the_tools_first_waits_until_the_server_came_up) {
  spawn_server();
  auto asked = list();
  settle();
  BOOST_TEST(!asked->arrived());
  come_up();
  BOOST_TEST(names(*asked) == "box.echo own");
}

BOOST_AUTO_TEST_CASE(one_that_never_answers_gives_none_in_its_time_and_is_tried_again) {
  spawn_server();
  auto asked = list();
  advance(5000ms);
  BOOST_TEST(names(*asked) == "own");
  BOOST_TEST(all[0]->closed);
  BOOST_TEST(traced("connect") == R"(error {"error":"was not ready within 5000 ms","name":"box"})");
  auto called = call();
  BOOST_TEST(outcome(called)
             == "error: box is unavailable and will be tried again: was not ready within 5000 ms");
  advance(200ms);
  BOOST_REQUIRE(all.size() == 2u);
  come_up();
  BOOST_TEST(listed() == "box.echo own");
}

BOOST_AUTO_TEST_CASE(failures_in_a_row_are_backed_off_from_up_to_a_bound) {
  setup.max_backoff = 1s;
  spawn_server();
  for (auto pause : {200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    auto before = all.size();
    end_line("exited with status 1");
    advance(pause - 1ms);
    BOOST_TEST(all.size() == before);
    advance(1ms);
    BOOST_TEST(all.size() == before + 1);
  }
}

BOOST_AUTO_TEST_CASE(one_that_dies_fails_its_calls_and_is_started_again) {
  spawn_server();
  come_up();
  BOOST_TEST(listed() == "box.echo own");
  auto lost = call();
  next();
  end_line("exited with status 7");
  BOOST_TEST(outcome(lost) == "error: box did not answer: connection lost: exited with status 7");
  BOOST_TEST(test::output(**lost->value, "error_class") == "transient");
  BOOST_TEST(listed() == "box.echo own"); // the tools of before are still offered
  auto waits = call();
  advance(200ms);
  come_up();
  answer(next(), said("here again"));
  BOOST_TEST(outcome(waits) == "ok here again");
}

BOOST_AUTO_TEST_CASE(calls_that_wait_for_one_that_does_not_come_back_fail) {
  spawn_server();
  come_up();
  listed();
  end_line("exited with status 7");
  auto waits = call();
  advance(200ms);
  BOOST_TEST(outcome(waits) == "nothing yet");
  end_line("exited with status 8");
  BOOST_TEST(outcome(waits) == "error: box did not answer: connection lost: exited with status 8");
  BOOST_TEST(
    outcome(call()) == "error: box is unavailable and will be tried again: exited with status 8");
}

BOOST_AUTO_TEST_CASE(a_late_call_is_a_timeout_and_the_server_told) {
  spawn_server();
  come_up();
  listed();
  auto late = call();
  auto asked = next();
  advance(1000ms);
  BOOST_TEST(outcome(late) == "timeout: timeout: no answer within 1000 ms");
  auto told = next();
  BOOST_TEST(told.at("method").as_string() == "notifications/cancelled");
  BOOST_TEST(told.at("params").at("requestId") == asked.at("id"));
  answer(asked, said("too late"));
  auto next_one = call();
  answer(next(), said("in time"));
  BOOST_TEST(outcome(next_one) == "ok in time");
}

BOOST_AUTO_TEST_CASE(calls_at_a_time_are_bounded_and_answered_in_any_order) {
  setup.config.max_in_flight = 2;
  spawn_server();
  come_up();
  listed();
  auto first = call();
  auto second = call();
  BOOST_TEST(outcome(call()) == "error: overloaded: 2 calls are waiting already");
  auto one = next();
  auto two = next();
  answer(two, said("two"));
  BOOST_TEST(outcome(first) == "nothing yet");
  BOOST_TEST(outcome(second) == "ok two");
  auto third = call();
  answer(one, said("one"));
  answer(next(), said("three"));
  BOOST_TEST(outcome(first) == "ok one");
  BOOST_TEST(outcome(third) == "ok three");
}

BOOST_AUTO_TEST_CASE(inputs_that_break_its_schema_never_reach_it) {
  spawn_server();
  come_up();
  listed();
  BOOST_TEST(outcome(call(R"({"n": "five"})"))
             == "error: invalid input: invalid_request: inputs.n: expected a whole number");
  BOOST_TEST(now_open().sent.empty());
}

BOOST_AUTO_TEST_CASE(a_tool_that_it_does_not_have_is_not_found) {
  spawn_server();
  come_up();
  listed();
  auto unknown = call("{}", "box.fly");
  BOOST_TEST(outcome(unknown) == "error: tool box.fly not found; the server has no such tool");
  BOOST_TEST(
    outcome(call("{}", "sea.fly")) == "error: tool sea.fly not found; known are box.echo, own");
}

BOOST_AUTO_TEST_CASE(changed_tools_are_known_at_the_next_question) {
  spawn_server();
  come_up();
  BOOST_TEST(listed() == "box.echo own");
  say({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}});
  answer(next(), {{"tools", {named("sing"), named("dance")}}});
  BOOST_TEST(listed() == "box.dance box.sing own");
  BOOST_TEST(traced("refresh_tools").starts_with("success "));
}

BOOST_AUTO_TEST_CASE(who_asks_for_the_tools_is_given_the_same_manifests_each_time_and_no_copies) {
  spawn_server();
  come_up({named("sing"), named("dance")});
  auto tools = [this] {
    auto answer = list();
    settle();
    return (*answer->value)->tools;
  };
  auto first = tools();
  BOOST_TEST(first.size() == 3u);
  BOOST_TEST((tools() == first));
}

BOOST_AUTO_TEST_CASE(tools_that_keep_changing_are_listed_with_pauses_that_grow) {
  spawn_server();
  come_up();
  auto tell = [this] { say({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}}); };
  auto answer_and_change = [&] {
    BOOST_REQUIRE(now_open().sent.size() == 1u);
    auto asked = next();
    tell();
    answer(asked, {{"tools", {named("echo")}}});
    tell();
  };
  tell();
  answer_and_change(); // the first change is handled at once
  for (auto pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    advance(pause - 1ms);
    BOOST_TEST(now_open().sent.empty());
    advance(1ms);
    answer_and_change();
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_was_quiet_is_listed_at_once_again) {
  spawn_server();
  come_up();
  for (auto i = 0; i < 3; ++i) {
    say({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}});
    answer(next(), {{"tools", {named("echo")}}});
    advance(3min);
  }
  BOOST_TEST(now_open().sent.empty());
}

BOOST_AUTO_TEST_CASE(a_listing_that_waits_ends_with_its_connection) {
  spawn_server();
  come_up();
  for (auto i = 0; i < 2; ++i)
    say({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}});
  answer(next(), {{"tools", {named("echo")}}});
  end_line("exited with status 1");
  advance(200ms);
  come_up();
  advance(1min);
  BOOST_TEST(now_open().sent.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_read_fails_the_call_and_not_the_others) {
  spawn_server();
  come_up();
  listed();
  auto good = call();
  auto asked = next();
  now_open().full = true;
  BOOST_TEST(outcome(call()) == "error: overloaded: it does not read as fast as it is asked");
  answer(asked, said("one"));
  BOOST_TEST(outcome(good) == "ok one");
}

BOOST_AUTO_TEST_CASE(a_missing_variable_is_said_once_and_nothing_is_started) {
  setup.config.env["KEY"] = "${MISSING}";
  setup.variables = [](const std::string&) { return std::optional<std::string>{}; };
  spawn_server();
  BOOST_TEST(listed() == "own");
  BOOST_TEST(all.empty());
  BOOST_TEST(outcome(call()).find("'MISSING'") != std::string::npos);
  advance(1h);
  BOOST_TEST(all.empty());
  BOOST_TEST(traced("connect").starts_with("invalid_request "));
}

BOOST_AUTO_TEST_CASE(secrets_are_in_no_error_and_in_no_trace) {
  setup.config.env["KEY"] = "${KEY}";
  setup.variables = [](const std::string&) { return std::optional<std::string>{"open-sesame"}; };
  spawn_server();
  come_up();
  listed();
  auto failed = call();
  answer(next(),
    {{"content", {{{"type", "text"}, {"text", "bad key open-sesame"}}}}, {"isError", true}});
  BOOST_TEST(outcome(failed) == "error: bad key ***");
  end_line("its standard error ends with: open-sesame");
  BOOST_TEST(!trace->entries().empty());
  for (const auto& x : trace->entries())
    BOOST_TEST(to_text(x.detail).find("open-sesame") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_line_is_closed_at_the_end) {
  spawn_server();
  come_up();
  caf::anon_send_exit(owned.front(), caf::exit_reason::user_shutdown);
  settle();
  BOOST_TEST(now_open().closed);
  BOOST_TEST(!now_open().sink({transport_event::kind::message, "{}"}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::mcp_client
