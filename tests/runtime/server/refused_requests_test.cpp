#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/auth/stream_revalidator.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/server/agent_calls.hpp"
#include "scratchpage/tests/runtime/server/kept_exchange.hpp"
#include "scratchpage/tests/runtime/server/served_host.hpp"

/// Requests that a server refuses, and headers that protect its answers from other pages.

namespace scratchpage::test {

BOOST_FIXTURE_TEST_SUITE(refused_requests, served_host)

BOOST_AUTO_TEST_CASE(a_page_on_another_name_is_refused) {
  http_client other{server->port()};
  other.send("GET /v1/agents HTTP/1.1\r\nHost: evil.example.com\r\n\r\n");
  BOOST_TEST(other.read_answer().status == 403);
  BOOST_TEST(ask("GET", "/v1/agents", "", "Origin: https://evil.example.com\r\n").status == 403);
}

BOOST_AUTO_TEST_CASE(a_page_on_another_name_cannot_ask_whether_it_is_well) {
  http_client other{server->port()};
  for (const auto* path : {"/healthz", "/readyz", "/openapi.json"}) {
    auto ask_as = [&](const std::string& host) {
      other.send("GET " + std::string{path} + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
      return other.read_answer().status;
    };
    BOOST_TEST(ask_as("evil.example.com") == 403, path);
    BOOST_TEST(ask_as("10.1.2.3:7070") == 403, path);
    BOOST_TEST(ask_as("127.0.0.1:7070") == 200, path);
  }
}

BOOST_AUTO_TEST_CASE(a_probe_may_call_the_address_that_it_connected_to_and_no_other) {
  auth::host_check names;
  http::request probe;
  probe.local = "10.1.2.3";
  probe.headers = {{"host", "10.1.2.3:7070"}};
  BOOST_TEST(!names.check_probe(probe));
  BOOST_TEST(bool{names.check(probe)}); // details about agents need access
  probe.headers = {{"host", "10.1.2.4"}};
  BOOST_TEST(bool{names.check_probe(probe)});
  probe.local = "2001:db8::1";
  probe.headers = {{"host", "[2001:db8::1]:7070"}};
  BOOST_TEST(!names.check_probe(probe));
  probe.local = ""; // over a local socket
  probe.headers = {{"host", "[]"}};
  BOOST_TEST(bool{names.check_probe(probe)});
}

BOOST_AUTO_TEST_CASE(a_compressed_body_or_another_charset_is_refused_everywhere) {
  agent("ada");
  const std::string json_type = "Content-Type: application/json";
  const std::string both_types = json_type + "\r\n" + json_type + "\r\n";
  const std::string call = R"({"jsonrpc": "2.0", "id": 1, "method": "page_stats"})";
  for (const auto& [path, body] :
    {std::pair<std::string, std::string>{"/v1/agents/ada/observations", smoke},
      {"/rpc?agent=ada", call}, {"/mcp?agent=ada", call}, {"/v1/session", R"({"key": "k"})"}}) {
    for (const auto* encoding : {"gzip", "br", "identity, gzip"}) {
      auto headers = json_type;
      headers.append("\r\nContent-Encoding: ").append(encoding).append("\r\n");
      auto refused = ask("POST", path, body, headers);
      BOOST_TEST(refused.status == 415, path);
      BOOST_TEST(field_of_error(refused) == "content-encoding");
    }
    for (const auto* charset : {"latin1", "utf-16", "\"utf-7\"", ""}) {
      auto headers = json_type;
      headers.append("; charset=").append(charset).append("\r\n");
      auto refused = ask("POST", path, body, headers);
      BOOST_TEST(refused.status == 415, path + charset);
      BOOST_TEST(field_of_error(refused) == "content-type");
    }
    BOOST_TEST(ask("POST", path, body, both_types).status == 415, path);
    auto good =
      ask("POST", path, body, json_type + "; charset=\"UTF-8\"\r\nContent-Encoding: identity\r\n");
    BOOST_TEST(good.status != 415, path);
  }
}

BOOST_AUTO_TEST_CASE(json_is_not_kept_on_the_way_and_not_taken_for_a_page) {
  agent("ada");
  for (const auto* path :
    {"/readyz", "/v1/agents", "/v1/agents/ada/stats", "/v1/agents/bob/stats", "/openapi.json"}) {
    auto answer = ask("GET", path);
    BOOST_TEST(answer.headers["content-type"].starts_with("application/json"), path);
    BOOST_TEST(answer.headers["x-content-type-options"] == "nosniff", path);
    BOOST_TEST(answer.headers["cache-control"] == "no-store", path);
  }
  client.send("GET / HTTP/1.1\r\n\r\n"); // the transport refuses it
  BOOST_TEST(client.read_answer().headers["cache-control"] == "no-store");
}

BOOST_AUTO_TEST_CASE(an_error_that_lasts_does_not_ask_to_come_again) {
  using http::error_response;
  auto asks_again = [](const caf::error& why) {
    auto answer = error_response(why);
    return std::any_of(answer.headers.begin(), answer.headers.end(),
      [](const http::header& x) { return x.name == "retry-after"; });
  };
  BOOST_TEST(asks_again(fail(errc::overloaded, "", "expected fewer")));
  BOOST_TEST(asks_again(fail(errc::storage_unavailable, "", "the storage fails")));
  BOOST_TEST(asks_again(server::calls_under_way::refusal(as_tool("flood"))));
  BOOST_TEST(!asks_again(fail(errc::overloaded, "agent", "expected at most 256 agents at once")));
  BOOST_TEST(!asks_again(fail(errc::overloaded, "answer", "expected a shorter one")));
  for (auto code : {errc::invalid_request, errc::forbidden, errc::not_found, errc::conflict,
         errc::deadline_exceeded, errc::internal})
    BOOST_TEST(!asks_again(fail(code, "", "x")));
}

BOOST_AUTO_TEST_CASE(a_filter_of_a_subscription_cannot_hold_more_than_a_hundred_owners) {
  agent("ada");
  auto link = open_link();
  json::array owners(101, "ann");
  auto refused = call_on(*link, "subscribe", {{"owner", owners}});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(field_of(refused.error()) == "owner");
  owners.pop_back();
  BOOST_TEST(bool{call_on(*link, "subscribe", {{"owner", owners}})});
  std::string query = "/v1/agents/ada/events?from=now";
  for (auto i = 0; i < 101; ++i)
    query += "&tags=t";
  auto answer = ask("GET", query);
  BOOST_TEST(answer.status == 400);
  BOOST_TEST(field_of_error(answer) == "tags");
}

BOOST_AUTO_TEST_CASE(a_socket_whose_token_was_revoked_neither_changes_nor_hears_anything) {
  agent("ada");
  std::atomic<int> heard = 0;
  auto gone = std::make_shared<std::promise<void>>();
  auto link = open_link(
    {[&](const std::string&, const json::object&) { ++heard; }, [gone] { gone->set_value(); }});
  BOOST_TEST(bool{call_on(*link, "subscribe", {})});
  door.is_shut = true;
  BOOST_TEST(!call_on(*link, "add_observation", {{"type", "alert"}, {"content", "Smoke"}}));
  gone->get_future().get(); // without waiting for the next check
  door.is_shut = false;
  auto found = json::parse(ask("GET", "/v1/agents/ada/observations").body);
  BOOST_TEST(found.at("total_count").to_number<int>() == 0);
  BOOST_TEST(heard == 0);
}

namespace {

/// An authenticator that notes the requests that it gets.
struct watching_door : auth::trusting_authenticator {
  using trusting_authenticator::trusting_authenticator;

  caf::expected<principal> admit(const http::request& x) override {
    shown = x.headers;
    return trusting_authenticator::admit(x);
  }

  std::vector<http::header> shown;
};

} // namespace

BOOST_AUTO_TEST_CASE(of_a_request_only_what_says_who_asks_is_kept_for_its_stream) {
  watching_door asked{role::daemon, auth::claims::of_anybody};
  auto visits = std::make_shared<auth::stream_revalidator>(asked);
  const std::string claim = R"({"role": "tool", "name": "gauge"})";
  http::request x;
  x.headers = {{"host", "localhost"}, {"cookie", std::string(10'000, 'x')},
    {"authorization", "bearer " + std::string(10'000, ' ') + "token"},
    {"scratchpage-caller", claim}};
  auto stream = visits->watch(x, std::make_shared<kept_exchange>())->begin_stream({});
  visits->check();
  BOOST_TEST((asked.shown
              == std::vector<http::header>{
                {"authorization", "Bearer token"}, {"scratchpage-caller", claim}}));
}

namespace {

/// An authenticator that lets everybody in until there are tokens.
struct door_without_tokens : auth::trusting_authenticator {
  using trusting_authenticator::trusting_authenticator;

  caf::expected<principal> admit(const http::request& x) override {
    if (are_some)
      return fail(errc::unauthenticated, "authorization", "expected a token");
    return trusting_authenticator::admit(x);
  }
  bool may_withdraw() const override { return true; }
  bool asks_for_tokens() override { return are_some; }

  bool are_some = false;
};

} // namespace

BOOST_AUTO_TEST_CASE(who_came_without_a_token_is_given_no_answer_when_tokens_are_asked_for) {
  door_without_tokens from{role::daemon, auth::claims::of_anybody};
  auto visits = std::make_shared<auth::stream_revalidator>(from);
  auto early = std::make_shared<kept_exchange>();
  auto late = std::make_shared<kept_exchange>();
  auto to_early = visits->watch({}, early);
  auto to_late = visits->watch({}, late);
  to_early->respond({200, {}, "what is known"});
  from.are_some = true;
  to_late->respond({200, {}, "what is known"});
  BOOST_TEST(early->get()->status == 200u);
  BOOST_TEST(late->get()->status == 401u);
}

BOOST_AUTO_TEST_CASE(a_stream_that_has_ended_is_not_looked_after_any_more) {
  auto visits = std::make_shared<auth::stream_revalidator>(door);
  auto back = std::make_shared<kept_exchange>();
  auto stream = visits->watch({}, back)->begin_stream({});
  BOOST_TEST(visits->count() == 1u);
  back->stream->close();
  BOOST_TEST(visits->count() == 0u); // before the next check
}

// -- tokens that are revoked while a request waits -----------------------------------------

namespace {

/// A host at which requests wait for a held turn, while their token is revoked.
struct waiting_host : served_host {
  std::string hold_turn() {
    auto turn = call("ada", "begin_turn", {{"input", "Work"}, {"hold", true}});
    return std::string{turn.at("turn_id").as_string()};
  }

  std::shared_ptr<kept_exchange> send(const std::string& method, const std::string& path,
    const std::string& body = {}, bool is_websocket = false) {
    http::request x;
    x.method = method;
    auto question = path.find('?');
    x.path = path.substr(0, question);
    x.query = question == std::string::npos ? "" : path.substr(question + 1);
    x.headers = {{"host", "localhost"}, {"content-type", "application/json"}};
    x.body = body;
    auto back = std::make_shared<kept_exchange>(is_websocket);
    service.handle(std::move(x), back);
    return back;
  }

  void revoke_and_end(const std::string& turn) {
    door.is_shut = true;
    call("ada", "end_turn", {{"turn_id", turn}});
  }

  static std::string call_text(const std::string& method, json::object params) {
    return to_text(json::value{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}});
  }

  uint64_t found(const std::string& words) {
    auto all = call("ada", "query_observations", {{"query", words}});
    return all.at("total_count").to_number<uint64_t>();
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_batch_does_nothing_more_when_its_token_was_revoked, waiting_host) {
  auto turn = hold_turn();
  std::string batch;
  for (auto i = 0; i < 16; ++i) // as many as may be under way at once
    batch += (i == 0 ? "[" : ",") + call_text("await_turn", {{"turn_id", turn}});
  batch += "," + call_text("add_observation", {{"type", "alert"}, {"content", "Smoke"}});
  auto back = send("POST", "/rpc?agent=ada", batch + "]");
  revoke_and_end(turn);
  auto answer = back->get();
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(answer->status == 401u);
  BOOST_TEST(answer->body.find("Work") == std::string::npos);
  BOOST_TEST(found("Smoke") == 0u);
}

BOOST_FIXTURE_TEST_CASE(what_is_read_is_not_told_when_the_token_was_revoked, waiting_host) {
  auto turn = hold_turn();
  auto back = send("GET", "/v1/agents/ada/turns/" + turn);
  revoke_and_end(turn);
  auto answer = back->get();
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(answer->status == 401u);
}

BOOST_FIXTURE_TEST_CASE(a_socket_is_cut_off_instead_of_answered_when_revoked, waiting_host) {
  auto turn = hold_turn();
  auto back = send("GET", "/rpc?agent=ada", {}, true);
  back->stream->send(call_text("await_turn", {{"turn_id", turn}}));
  revoke_and_end(turn);
  BOOST_TEST(back->stream->await_end());
}

BOOST_AUTO_TEST_CASE(no_answer_of_mcp_is_written_to_a_stream_of_whoever_is_not_let_in_any_more) {
  auto visits = std::make_shared<auth::stream_revalidator>(door);
  auto back = std::make_shared<kept_exchange>();
  http::request x;
  x.path = "/mcp";
  auto stream = visits->watch(x, back)->begin_stream({});
  std::vector<bool> written;
  auto note = [&](bool is_written) { written.push_back(is_written); };
  stream->write("one", note);
  door.is_shut = true;
  stream->write("two", note);
  BOOST_TEST(written == (std::vector<bool>{true, false}), boost::test_tools::per_element());
  BOOST_TEST(back->stream->await_end());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
