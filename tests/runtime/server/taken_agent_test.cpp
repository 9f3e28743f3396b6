#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/tests/runtime/server/kept_exchange.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// Two servers on one database: what the callers of the first see when the second claims its
/// agent.

namespace scratchpage::test {

namespace {

constexpr auto patience = std::chrono::seconds{20};

config that_looks_often() {
  auto result = default_config();
  result.journal.claims_ms = 20;
  return result;
}

/// Collects events of a host. A thread can wait for them.
class told_events {
public:
  void add(const host_event& x) {
    std::lock_guard lock{guard_};
    all_.push_back(x);
    changed_.notify_all();
  }

  /// Waits for `at_least` events of a kind. Returns their number.
  size_t await(host_event_kind kind, size_t at_least = 1) {
    std::unique_lock lock{guard_};
    changed_.wait_for(lock, patience, [&] { return count(kind) >= at_least; });
    return count(kind);
  }

private:
  size_t count(host_event_kind kind) const {
    return static_cast<size_t>(
      std::count_if(all_.begin(), all_.end(), [&](const auto& x) { return x.kind == kind; }));
  }

  std::mutex guard_;
  std::condition_variable changed_;
  std::vector<host_event> all_;
};

/// A server as its callers see it.
struct server {
  explicit server(const std::string& database)
    : host{require_value(storage::open(database)), that_looks_often(),
      [this](const host_event& x) { events.add(x); }} {}

  static http::request request(
    const std::string& method, const std::string& path, std::string body = {}) {
    http::request x;
    x.method = method;
    auto question = path.find('?');
    x.path = path.substr(0, question);
    x.query = question == std::string::npos ? "" : path.substr(question + 1);
    x.headers = {{"host", "localhost"}, {"content-type", "application/json"},
      {"accept", "application/json, text/event-stream"}};
    x.body = std::move(body);
    return x;
  }

  http::response send(const std::string& method, const std::string& path, std::string body = {}) {
    return send(request(method, path, std::move(body)));
  }

  http::response send(http::request x) {
    auto back = std::make_shared<kept_exchange>();
    service.handle(std::move(x), back);
    auto answer = back->get();
    BOOST_REQUIRE(answer.has_value());
    return *answer;
  }

  http::response add(const std::string& content) {
    return send("POST", "/v1/agents/ada/observations",
      R"({"type": "alert", "content": ")" + content + R"("})");
  }

  std::shared_ptr<kept_stream> connect(const std::string& path, bool as_websocket) {
    auto back = std::make_shared<kept_exchange>(as_websocket);
    service.handle(request("GET", path), back);
    BOOST_REQUIRE(back->get().has_value());
    BOOST_REQUIRE(back->get()->status < 300u);
    return closed_when_released(back->stream);
  }

  told_events events;
  agent_host host;
  auth::trusting_authenticator door{role::daemon, auth::claims::of_programs};
  scratchpage::server::service service{host, door};
};

struct two_servers {
  std::string database = private_postgres::shared().new_schema();
  server first{database};
  server second{database};

  two_servers() { BOOST_TEST(first.add("Smoke").status == 201u); }

  void let_second_take_it() {
    BOOST_TEST(second.add("Fire").status == 201u);
    BOOST_TEST(first.events.await(host_event_kind::agent_lost) == 1u);
    BOOST_TEST(!first.host.find("ada"));
  }
};

const std::string* header_of(const http::response& x, std::string_view name) {
  for (const auto& one : x.headers)
    if (one.name == name)
      return &one.value;
  return nullptr;
}

/// Tries again as a client that obeys Retry-After, but sooner.
template <class F>
bool comes_true(F is_so) {
  for (auto until = std::chrono::steady_clock::now() + patience;
       std::chrono::steady_clock::now() < until;)
    if (is_so())
      return true;
  return false;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(agents_that_were_taken, two_servers)

BOOST_AUTO_TEST_CASE(a_server_cannot_answer_old_data_for_long_after_another_has_its_agent) {
  let_second_take_it(); // without a request to the first meanwhile
  auto refused = first.send("GET", "/v1/agents/ada/observations");
  BOOST_TEST(refused.status == 503u);
  BOOST_TEST((header_of(refused, "retry-after") != nullptr));
  auto why = json::parse(refused.body).at("error");
  BOOST_TEST(why.at("code").as_string() == "storage_unavailable");
  BOOST_TEST(why.at("field").as_string() == "agent");
  BOOST_TEST(contains(why.at("message").as_string(), "another one has taken it"));
  BOOST_TEST(first.add("Flood").status == 503u);
}

BOOST_AUTO_TEST_CASE(a_server_is_not_ready_while_it_does_not_claim_what_was_taken_from_it) {
  BOOST_TEST(first.send("GET", "/readyz").status == 200u);
  let_second_take_it();
  auto refused = first.send("GET", "/readyz");
  BOOST_TEST(refused.status == 503u);
  BOOST_TEST(json::parse(refused.body).at("error").at("field").as_string() == "agent");
  BOOST_TEST(!contains(refused.body, "ada")); // health checks must not name agents
  BOOST_TEST(second.send("GET", "/readyz").status == 200u);
  BOOST_TEST(comes_true([this] { return first.send("GET", "/readyz").status == 200u; }));
}

BOOST_AUTO_TEST_CASE(two_servers_cannot_take_an_agent_from_each_other_without_a_pause) {
  auto begun = std::chrono::steady_clock::now();
  let_second_take_it();
  BOOST_TEST(comes_true([this] { return first.add("Flood").status == 201u; }));
  BOOST_TEST((std::chrono::steady_clock::now() - begun >= std::chrono::milliseconds{900}));
  auto found = json::parse(first.send("GET", "/v1/agents/ada/observations").body);
  BOOST_TEST(found.at("total_count").to_number<int>() == 3); // includes what the second has stored
  BOOST_TEST(second.events.await(host_event_kind::agent_lost) == 1u);
  BOOST_TEST(second.add("Storm").status == 503u);
}

BOOST_AUTO_TEST_CASE(a_stream_of_events_does_not_go_silent_when_its_agent_is_taken) {
  auto plain = first.connect("/v1/agents/ada/events", false);
  auto socket = first.connect("/v1/agents/ada/events", true);
  first.add("Flood");
  BOOST_TEST(plain->await("Flood"));
  BOOST_TEST(socket->await("Flood"));
  let_second_take_it();
  for (const auto& stream : {plain, socket}) {
    BOOST_TEST(stream->await(R"("code":"storage_unavailable")"));
    BOOST_TEST(stream->await_end());
  }
}

BOOST_AUTO_TEST_CASE(a_subscription_of_json_rpc_does_not_go_silent_when_its_agent_is_taken) {
  auto socket = first.connect("/rpc?agent=ada", true);
  socket->send(R"({"jsonrpc": "2.0", "id": 1, "method": "subscribe", "params": {}})");
  BOOST_TEST(socket->await(R"("subscription":1)"));
  let_second_take_it();
  BOOST_TEST(socket->await(R"("method":"end")"));
  BOOST_TEST(socket->await(R"("code":"storage_unavailable")"));
  BOOST_TEST(socket->await_end());
}

BOOST_AUTO_TEST_CASE(a_call_of_json_rpc_is_refused_while_its_agent_is_taken_and_made_later) {
  auto socket = first.connect("/rpc?agent=ada", true);
  auto list = R"({"jsonrpc": "2.0", "id": 1, "method": "list_observations", "params": {}})";
  let_second_take_it();
  socket->send(list);
  BOOST_TEST(socket->await(R"("code":"storage_unavailable")"));
  BOOST_TEST(comes_true([this] { return first.send("GET", "/readyz").status == 200u; }));
  socket->send(list);
  BOOST_TEST(socket->await(R"("total_count":2)"));
}

BOOST_AUTO_TEST_CASE(a_tool_of_mcp_is_refused_while_its_agent_is_taken) {
  let_second_take_it();
  auto x = server::request("POST", "/mcp?agent=ada",
    to_text(json::object{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"},
      {"params",
        {{"name", "query_observations"}, {"arguments", json::object{}},
          {"_meta", {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                      {"io.modelcontextprotocol/clientCapabilities", json::object{}}}}}}}));
  x.headers.push_back({"mcp-protocol-version", "2026-07-28"});
  x.headers.push_back({"mcp-method", "tools/call"});
  x.headers.push_back({"mcp-name", "query_observations"});
  auto result = json::parse(first.send(std::move(x)).body).at("result");
  BOOST_TEST(result.at("isError").as_bool());
  BOOST_TEST(
    contains(result.at("content").at(0).at("text").as_string(), "another one has taken it"));
}

BOOST_AUTO_TEST_CASE(a_host_can_end_while_its_agents_are_taken) {
  for (int i = 0; i < 5; ++i) {
    auto third = std::make_unique<server>(database);
    BOOST_TEST(third->add("Storm").status == 201u);
    BOOST_TEST(server{database}.add("Hail").status == 201u);
    third.reset();
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
