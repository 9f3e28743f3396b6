#include "scratchpage/runtime/models/endpoint.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/models/model_access.hpp"
#include "scratchpage/tests/runtime/net/http/served.hpp"

/// The client of a real server that answers as servers do on bad days.

namespace scratchpage::test {

using namespace models;
using namespace std::chrono_literals;

namespace {

constexpr auto good = R"({"choices": [{"message": {"content": "{\"level\": \"low\"}"}}],
  "usage": {"prompt_tokens": 7}})";

http::response json_of(uint32_t status, std::string body) {
  return {status, {{"content-type", "application/json; charset=utf-8"}}, std::move(body)};
}

/// A server that gives its answers one after the other, the last one again and again.
struct scripted_server {
  std::vector<std::function<void(const exchange_ptr&)>> script;
  std::atomic<size_t> asked{0};
  awaited<http::request> requests;
  std::unique_ptr<http::server> server;

  explicit scripted_server(std::vector<std::function<void(const exchange_ptr&)>> answers)
    : script{std::move(answers)},
      server{serve([this](http::request x, const exchange_ptr& back) {
        auto i = std::min(asked++, script.size() - 1);
        requests.set(std::move(x));
        script[i](back);
      })} {}

  model_config config() const {
    model_config result;
    result.address = "http://127.0.0.1:" + std::to_string(server->port()) + "/v1/";
    result.model = "m";
    return result;
  }

  chat_reply ask(std::string key = {}, timespan within = 10s) const {
    return http_endpoint{config(), std::move(key)}.ask("{}", "", within);
  }
};

auto answering(uint32_t status, std::string body) {
  return [=](const exchange_ptr& back) { back->respond(json_of(status, body)); };
}

auto busy(uint32_t status) {
  return [=](const exchange_ptr& back) {
    auto answer = json_of(status, R"({"error": {"message": "slow down"}})");
    answer.headers.push_back({"retry-after", "0"});
    back->respond(std::move(answer));
  };
}

std::string outcome(const chat_reply& x) {
  return std::string{name_of(x.outcome)};
}

} // namespace

BOOST_AUTO_TEST_SUITE(an_http_endpoint)

BOOST_AUTO_TEST_CASE(posts_the_body_with_the_key_and_the_traceparent) {
  scripted_server there{{answering(200, good)}};
  http_endpoint client{there.config(), "secret-key"};
  auto reply = client.ask(R"({"model": "m"})", "00-trace", 10s);
  BOOST_TEST(outcome(reply) == "answered");
  BOOST_TEST(reply.content.at("level").as_string() == "low");
  BOOST_TEST(reply.prompt_tokens == 7u);
  auto x = there.requests.get();
  BOOST_TEST(x.method == "POST");
  BOOST_TEST(x.path == "/v1/chat/completions");
  BOOST_TEST(x.body == R"({"model": "m"})");
  BOOST_TEST(*x.header("authorization") == "Bearer secret-key");
  BOOST_TEST(*x.header("traceparent") == "00-trace");
}

BOOST_AUTO_TEST_CASE(asks_again_after_429_and_5xx) {
  scripted_server there{{busy(429), busy(503), answering(200, good)}};
  BOOST_TEST(outcome(there.ask()) == "answered");
  BOOST_TEST(there.asked == 3u);
}

BOOST_AUTO_TEST_CASE(gives_up_after_its_attempts) {
  scripted_server there{{busy(500)}};
  auto reply = there.ask();
  BOOST_TEST(outcome(reply) == "unavailable");
  BOOST_TEST(reply.error == "status 500: slow down");
  BOOST_TEST(there.asked == 3u);
}

BOOST_AUTO_TEST_CASE(does_not_wait_longer_than_there_is_time) {
  scripted_server there{{[](const exchange_ptr& back) {
    auto answer = json_of(429, "{}");
    answer.headers.push_back({"retry-after", "3600"});
    back->respond(std::move(answer));
  }}};
  BOOST_TEST(outcome(there.ask()) == "unavailable");
  BOOST_TEST(there.asked == 1u);
}

BOOST_AUTO_TEST_CASE(does_not_ask_again_what_was_rejected_and_tells_no_key) {
  scripted_server there{{answering(401, R"({"error": {"message": "wrong key: secret-key"}})")}};
  auto reply = there.ask("secret-key");
  BOOST_TEST(outcome(reply) == "rejected");
  BOOST_TEST(reply.error == "status 401: wrong key: ***");
  BOOST_TEST(there.asked == 1u);
}

BOOST_AUTO_TEST_CASE(asks_again_after_a_stream_that_breaks) {
  scripted_server there{{[](const exchange_ptr& back) {
                           auto stream = back->begin_stream(json_of(200, ""));
                           stream->write("{\"choices\":", [stream](bool) { stream->cut_off(); });
                         },
    answering(200, good)}};
  BOOST_TEST(outcome(there.ask()) == "answered");
  BOOST_TEST(there.asked == 2u);
}

BOOST_AUTO_TEST_CASE(is_late_if_the_first_byte_does_not_come) {
  exchange_ptr kept;
  scripted_server there{{[&](const exchange_ptr& back) { kept = back; }}};
  auto reply = there.ask({}, 50ms);
  BOOST_TEST(outcome(reply) == "late");
  BOOST_TEST(reply.latency_ms >= 50u);
}

BOOST_AUTO_TEST_CASE(is_late_if_the_answer_stops_half_way) {
  std::shared_ptr<http::stream> kept;
  scripted_server there{{[&](const exchange_ptr& back) {
    kept = back->begin_stream(json_of(200, ""));
    kept->write("{", [](bool) {});
  }}};
  BOOST_TEST(outcome(there.ask({}, 50ms)) == "late");
}

BOOST_AUTO_TEST_CASE(reads_no_answer_that_is_too_large) {
  scripted_server there{{answering(200, std::string(model_limits::answer_bytes + 1, ' '))}};
  BOOST_TEST(outcome(there.ask()) == "too_large");
}

BOOST_AUTO_TEST_CASE(takes_no_other_content_type) {
  scripted_server there{{[](const exchange_ptr& back) {
    back->respond({200, {{"content-type", "text/html"}}, "<p>Welcome</p>"});
  }}};
  auto reply = there.ask();
  BOOST_TEST(outcome(reply) == "nonsense");
  BOOST_TEST(reply.error.find("text/html") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(is_unavailable_where_nobody_listens) {
  auto config = scripted_server{{answering(200, good)}}.config();
  config.attempts = 1;
  BOOST_TEST(outcome(http_endpoint{config, ""}.ask("{}", "", 10s)) == "unavailable");
}

BOOST_AUTO_TEST_CASE(ends_its_requests_when_it_is_stopped) {
  scripted_server there{{busy(503)}};
  http_endpoint client{there.config(), ""};
  client.stop();
  auto reply = client.ask("{}", "", 10s);
  BOOST_TEST(outcome(reply) == "unavailable");
  BOOST_TEST(there.asked == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_access_to_models)

BOOST_AUTO_TEST_CASE(is_not_made_if_no_daemon_asks) {
  model_access x;
  BOOST_TEST(!complete(x, {}, variables_of_process()));
  BOOST_TEST(!x.endpoint);
}

BOOST_AUTO_TEST_CASE(needs_an_address_unless_replies_are_replayed) {
  model_config config;
  config.daemons.router = decided_by::model;
  model_access x;
  auto err = complete(x, config, variables_of_process());
  BOOST_TEST(field_of(err) == "models.address");
  x.replays = true;
  BOOST_TEST(!complete(x, config, variables_of_process()));
  BOOST_TEST(!x.endpoint);
  BOOST_TEST(x.prompts->router.find("# The Router") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
