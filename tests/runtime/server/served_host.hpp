#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/client/link.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/support/http_client.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage::test {

/// An authenticator that gives access until `is_shut` is set.
struct door_with_lock : auth::trusting_authenticator {
  using trusting_authenticator::trusting_authenticator;

  caf::expected<principal> admit(const http::request& x) override {
    if (is_shut)
      return fail(errc::unauthenticated, "authorization", "expected a token that is not revoked");
    return trusting_authenticator::admit(x);
  }

  bool may_withdraw() const override { return true; }

  std::atomic<bool> is_shut = false;
};

/// A host with an HTTP server.
struct served_host : hosted {
  door_with_lock door{role::daemon, auth::claims::of_anybody};
  server::service service{*host, door};
  std::unique_ptr<http::server> server = require_value(
    http::server::start({}, [this](http::request x, const std::shared_ptr<http::exchange>& to) {
      service.handle(std::move(x), to);
    }));
  http_client client{server->port()};

  http_answer ask(const std::string& method, const std::string& path, const std::string& body = {},
    const std::string& headers = {}) {
    client.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers
                + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return client.read_answer();
  }

  http_answer post(const std::string& path, const std::string& body) {
    return ask("POST", path, body, "Content-Type: application/json\r\n");
  }

  static std::string field_of_error(const http_answer& x) {
    return std::string{json::parse(x.body).at("error").at("field").as_string()};
  }

  /// Reads `count` events of a stream, as "added 1-1".
  static std::vector<std::string> events(http_client& from, size_t count) {
    std::vector<std::string> result;
    std::string text;
    while (result.size() < count) {
      auto chunk = from.read_chunk();
      BOOST_REQUIRE(!chunk.empty());
      text += chunk;
      for (auto end = text.find("\n\n"); end != std::string::npos; end = text.find("\n\n")) {
        auto one = text.substr(0, end);
        text.erase(0, end + 2);
        if (one.starts_with("id: ")) {
          auto line = one.find('\n');
          auto kind = one.substr(line + 8, one.find('\n', line + 1) - line - 8);
          result.push_back(kind + " " + one.substr(4, line - 4));
        }
      }
    }
    return result;
  }

  std::unique_ptr<client::link> open_link(client::link::listener tell = {}) {
    client::endpoint to;
    to.port = std::to_string(server->port());
    to.target = "/rpc?agent=ada";
    return require_value(client::link::open(to, std::chrono::seconds{10}, std::move(tell)));
  }

  static caf::expected<json::value> call_on(
    client::link& link, const std::string& method, json::object params) {
    std::promise<caf::expected<json::value>> answered;
    link.call(method, std::move(params),
      [&](caf::expected<json::value> x) { answered.set_value(std::move(x)); });
    return answered.get_future().get();
  }

  http_client listen(const std::string& query, const std::string& headers = {}) {
    http_client result{server->port()};
    result.send(
      "GET /v1/agents/ada/events" + query + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
    BOOST_TEST(result.read_head().status == 200);
    return result;
  }
};

inline constexpr auto smoke = R"({"type": "alert", "content": "Smoke", "tags": ["fire"]})";

} // namespace scratchpage::test
