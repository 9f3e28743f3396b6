#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/runtime/server/guarded_host.hpp"

/// Only the first accepted change creates an agent.

namespace scratchpage::test {

namespace {

constexpr auto first_alert = R"({"type": "alert", "content": "Smoke"})";

std::string call_of(const std::string& method, const std::string& params) {
  return R"({"jsonrpc": "2.0", "id": 1, "method": ")" + method + R"(", "params": )" + params + "}";
}

struct newcomers : guarded_host {
  uint32_t ask(const std::string& method, const std::string& path, const std::string& body = {},
    const std::string& token = {}) {
    answer = send(request(method, path, token, body));
    return answer.status;
  }

  std::string error_field() const {
    return std::string{json::parse(answer.body).at("error").at("field").as_string()};
  }

  http::response answer;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(beginning_agents, newcomers)

BOOST_AUTO_TEST_CASE(a_get_makes_no_agent) {
  for (const auto* path : {"/rpc?agent=eve", "/mcp?agent=eve", "/v1/agents/eve/observations",
         "/v1/agents/eve/stats", "/v1/agents/eve/goals", "/v1/agents/eve/context",
         "/v1/agents/eve/events", "/v1/agents/eve/threads/main/items"}) {
    ask("GET", path);
    BOOST_TEST(answer.status >= 400u, path);
    BOOST_TEST(agents() == 0u, path);
  }
}

BOOST_AUTO_TEST_CASE(what_only_reads_makes_no_agent_by_post_either) {
  BOOST_TEST(ask("POST", "/v1/agents/eve/observations/query", "{}") == 404u);
  BOOST_TEST(ask("POST", "/rpc?agent=eve", call_of("list_observations", "{}")) == 200u);
  BOOST_TEST(json::parse(answer.body).at("error").at("data").at("field").as_string() == "agent");
  BOOST_TEST(agents() == 0u);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_refused_makes_no_agent) {
  BOOST_TEST(
    ask("POST", "/v1/agents/eve/observations", R"({"type": "alert", "content": " "})") == 400u);
  BOOST_TEST(error_field() == "content");
  BOOST_TEST(
    ask("POST", "/v1/agents/eve/observations", R"({"type": "nothing", "content": "x"})") == 400u);
  BOOST_TEST(error_field() == "type");
  BOOST_TEST(ask("POST", "/v1/agents/eve/observations", R"({"type": "user_input", "content": "x"})")
             == 403u);
  BOOST_TEST(ask("POST", "/v1/agents/eve/turns", R"({"input": "x", "deadline_ms": -1})") == 400u);
  BOOST_TEST(
    ask("POST", "/v1/agents/eve/turns", R"({"input": "x", "context": {"user_consents": true}})")
    == 403u);
  BOOST_TEST(
    ask("POST", "/v1/agents/eve/threads/t/items", R"({"kind": "note", "title": ""})") == 400u);
  BOOST_TEST(ask("POST", "/v1/agents/eve/facts", R"({"statement": " "})") == 400u);
  BOOST_TEST(error_field() == "statement");
  BOOST_TEST(
    ask("POST", "/v1/agents/eve/facts", R"({"statement": "x", "user_id": " ann"})") == 400u);
  BOOST_TEST(ask("POST", "/v1/agents/eve/types", R"({"type": "measurement"})") == 403u);
  BOOST_TEST(ask("POST", "/v1/agents/eve/observations/batch", R"({"drafts": [{}, {}]})") == 400u);
  BOOST_TEST(ask("PATCH", "/v1/agents/eve/goals/goal_1", R"({"status": "abandoned"})") == 404u);
  BOOST_TEST(agents() == 0u);
}

BOOST_AUTO_TEST_CASE(who_may_only_read_makes_no_agent) {
  auto reader = let_in("reader", role::daemon, true, auth::right::read, "*");
  BOOST_TEST(ask("POST", "/v1/agents/eve/observations", first_alert, reader) == 403u);
  ask("POST", "/rpc?agent=eve", call_of("add_observation", first_alert), reader);
  ask("GET", "/rpc?agent=eve", "", reader);
  ask("POST", "/mcp?agent=eve", call_of("initialize", "{}"), reader);
  BOOST_TEST(agents() == 0u);
}

BOOST_AUTO_TEST_CASE(the_first_accepted_change_makes_the_agent) {
  BOOST_TEST(ask("POST", "/v1/agents/a/observations", first_alert) == 201u);
  BOOST_TEST(agents() == 1u);
  BOOST_TEST(ask("POST", "/rpc?agent=b", call_of("add_observation", first_alert)) == 200u);
  BOOST_TEST(json::parse(answer.body).at("result").at("content").as_string() == "Smoke");
  BOOST_TEST(agents() == 2u);
  BOOST_TEST(ask("POST", "/v1/agents/c/turns", R"({"input": "Hello"})") == 200u);
  BOOST_TEST(
    ask("POST", "/v1/agents/d/threads/t/items", R"({"kind": "note", "title": "x"})") == 201u);
  BOOST_TEST(ask("POST", "/v1/agents/e/facts", R"({"statement": "Ann eats no peanuts"})") == 201u);
  BOOST_TEST(agents() == 5u);
}

BOOST_AUTO_TEST_CASE(a_page_of_another_site_is_refused_on_every_path_that_does_something) {
  for (const auto* path : {"/rpc?agent=eve", "/mcp?agent=eve", "/v1/agents", "/metrics",
         "/v1/session", "/v1/agents/eve/events"}) {
    auto image = request("GET", path);
    image.headers.push_back({"sec-fetch-site", "cross-site"});
    image.headers.push_back({"sec-fetch-mode", "no-cors"});
    BOOST_TEST(send(image).status == 403u, path);
    auto form = request("POST", path);
    form.headers.push_back({"origin", "https://evil.example"});
    BOOST_TEST(send(form).status == 403u, path);
    auto rebound = request("GET", path);
    rebound.headers[0].value = "evil.example";
    BOOST_TEST(send(rebound).status == 403u, path);
  }
  BOOST_TEST(agents() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
