#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/runtime/server/kept_exchange.hpp"

/// Limits on what a server stores for a client on a WebSocket.

namespace scratchpage::test {

namespace {

struct socket_host : hosted {
  explicit socket_host(config x = default_config())
    : hosted{std::move(x)} {}

  /// Opens a WebSocket for JSON-RPC with the agent "ada".
  std::shared_ptr<kept_stream> open() {
    http::request asked;
    asked.method = "GET";
    asked.path = "/rpc";
    asked.query = "agent=ada";
    asked.headers = {{"host", "localhost"}};
    auto back = std::make_shared<kept_exchange>(true);
    service.handle(std::move(asked), back);
    auto answer = back->get();
    BOOST_REQUIRE((answer && answer->status == 101));
    return closed_when_released(back->stream);
  }

  static std::string call_text(int id, const std::string& method, json::object params = {}) {
    return to_text(json::value{
      {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  }

  /// Number of the page's subscriptions besides those of its daemons.
  size_t subscriptions() {
    auto all = call("ada", "subscribers_list", {}).at("subscribers").as_array();
    return static_cast<size_t>(std::count_if(all.begin(), all.end(),
      [](const json::value& x) { return x.at("name").as_string() == "http_client"; }));
  }

  auth::trusting_authenticator door{role::daemon, auth::claims::of_anybody};
  server::service service{*host, door};
};

constexpr size_t little = 32u << 20;

/// A memory limit a little above what the process uses.
config with_little_memory() {
  auto result = default_config();
  result.memory.max_bytes = resident_memory() + little;
  return result;
}

struct crowded_host : socket_host {
  crowded_host()
    : socket_host{with_little_memory()} {}
};

/// The page accepts few subscribers besides the ensemble's own.
config with_few_subscribers() {
  auto result = default_config();
  result.page.max_subscribers = 16;
  return result;
}

struct full_page_host : socket_host {
  full_page_host()
    : socket_host{with_few_subscribers()} {}

  /// Subscribes. Returns whether the page accepts that.
  static bool subscribe(kept_stream& socket, int id) {
    socket.send(call_text(id, "subscribe"));
    auto answer = socket.await_piece(R"("id":)" + std::to_string(id) + ",");
    BOOST_REQUIRE(answer != "");
    return answer.find(R"("error":)") == std::string::npos;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(rpc_sockets)

BOOST_FIXTURE_TEST_CASE(subscriptions_that_have_ended_leave_nothing_behind, socket_host) {
  agent("ada");
  auto socket = open();
  size_t after_one = 0;
  for (auto i = 1; i <= 50; ++i) {
    socket->send(call_text(i, "subscribe"));
    BOOST_REQUIRE(socket->await(R"("subscription":)" + std::to_string(i)));
    socket->send(call_text(i, "unsubscribe", {{"subscription", i}}));
    BOOST_REQUIRE(socket->await(R"("result":null)"));
    after_one = i == 1 ? socket->callbacks() : after_one;
  }
  BOOST_TEST(socket->callbacks() == after_one);
}

BOOST_FIXTURE_TEST_CASE(subscriptions_that_are_left_end_with_their_socket, socket_host) {
  agent("ada");
  auto socket = open();
  for (auto i = 1; i <= 3; ++i) {
    socket->send(call_text(i, "subscribe"));
    BOOST_REQUIRE(socket->await(R"("subscription":)" + std::to_string(i)));
  }
  BOOST_TEST(subscriptions() == 3u);
  socket->close();
  auto left = subscriptions();
  for (auto tries = 0; left > 0 && tries < 100'000; ++tries)
    left = subscriptions();
  BOOST_TEST(left == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_subscription_wakes_an_agent_at_rest_and_keeps_it_awake, socket_host) {
  auto rest = [this] {
    std::promise<bool> answer;
    host->put_to_rest("ada", [&](bool x) { answer.set_value(x); });
    return answer.get_future().get();
  };
  agent("ada");
  auto socket = open();
  auto rests = rest();
  for (auto tries = 0; !rests && tries < 10'000; ++tries)
    rests = rest();
  BOOST_REQUIRE(rests);
  socket->send(call_text(1, "subscribe"));
  BOOST_REQUIRE(socket->await(R"("subscription":1)"));
  call("ada", "add_observation", {{"type", "alert"}, {"content", "Smoke"}});
  BOOST_TEST(socket->await("Smoke"));
  BOOST_TEST(!rest());
  socket->close();
}

BOOST_FIXTURE_TEST_CASE(subscriptions_that_the_page_refuses_take_no_place, full_page_host) {
  agent("ada");
  auto first = open();
  auto id = 1;
  BOOST_REQUIRE(subscribe(*first, id));
  while (subscribe(*first, ++id)) {
  }
  auto second = open();
  for (auto refused = 0; refused < 16; ++refused)
    BOOST_TEST(!subscribe(*second, ++id));
  first->send(call_text(++id, "unsubscribe", {{"subscription", 1}}));
  BOOST_REQUIRE(first->await(R"("result":null)"));
  auto accepted = false;
  for (auto tries = 0; !accepted && tries < 10'000; ++tries)
    accepted = subscribe(*second, ++id);
  BOOST_TEST(accepted);
  for (const auto& one : {first, second})
    one->close(); // the service outlives its sockets
}

BOOST_FIXTURE_TEST_CASE(calls_that_have_not_begun_when_the_socket_ends_are_not_made, socket_host) {
  auto turn = call("ada", "begin_turn", {{"input", "x"}, {"hold", true}}).at("turn_id");
  auto socket = open();
  std::string batch;
  for (auto i = 0; i < 40; ++i) {
    auto waits = i < 16; // as many as may be under way at once
    batch += i == 0 ? '[' : ',';
    batch += waits ? call_text(i, "await_turn", {{"turn_id", turn}}) : call_text(i, "page_stats");
  }
  socket->send(batch + "]");
  socket->close();
  call("ada", "end_turn", {{"turn_id", turn}});
  BOOST_TEST(socket->await("the client has disconnected"));
}

BOOST_FIXTURE_TEST_CASE(a_long_message_is_refused_when_there_is_no_memory_left, crowded_host) {
  agent("ada");
  auto socket = open();
  const std::string too_much(2 * little, 'x');
  while (!host->check_memory()) { // the host measures fifty times a second
  }
  socket->send(call_text(1, "page_stats") + std::string(work_queue::long_bytes, ' '));
  BOOST_TEST(socket->await(R"("id":null)"));
  BOOST_TEST(socket->await(R"("field":"memory")"));
  socket->send(call_text(2, "page_stats"));
  BOOST_TEST(socket->await(R"("id":2)")); // the socket continues
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
