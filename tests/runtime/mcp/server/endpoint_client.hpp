#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/mcp/server/http_endpoint.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"
#include "scratchpage/tests/runtime/mcp/server/fake_exchange.hpp"
#include "scratchpage/tests/runtime/mcp/server/manual_strand.hpp"
#include "scratchpage/tests/runtime/mcp/server/messages.hpp"

namespace scratchpage::test {

/// A client of an MCP endpoint with all fixtures, without sockets.
struct endpoint_client {
  using headers = std::vector<http::header>;
  using sent = std::shared_ptr<fake_exchange>;

  explicit endpoint_client(mcp::http_endpoint_config config = {})
    : endpoint{std::make_shared<mcp::http_endpoint>(
      std::make_shared<mcp::server>(strand, offers), std::move(config))} {}

  endpoint_client(const endpoint_client&) = delete;
  endpoint_client& operator=(const endpoint_client&) = delete;

  /// Disconnects from all requests that are still open.
  ~endpoint_client() {
    for (const auto& x : all_sent)
      if (auto by = x.lock())
        by->leave();
    strand->advance(std::chrono::hours{1}); // requests that wait time out
    strand->stop();
  }

  /// The headers that every client sends. A header in `more` replaces that of the same name,
  /// or removes it if the value is empty.
  static headers headers_with(headers more) {
    headers result{{"host", "localhost:3000"}, {"content-type", "application/json"},
      {"accept", "application/json, text/event-stream"}};
    for (auto& x : more) {
      std::erase_if(result, [&](const http::header& old) { return old.name == x.name; });
      if (!x.value.empty())
        result.push_back(std::move(x));
    }
    return result;
  }

  sent send(const std::string& method, std::string body, headers more = {}) {
    http::request x;
    x.method = method;
    x.path = "/mcp";
    x.headers = headers_with(std::move(more));
    x.body = std::move(body);
    auto by = std::make_shared<fake_exchange>();
    all_sent.push_back(by);
    endpoint->handle(std::move(x), by, who);
    strand->run();
    return by;
  }

  sent post(const json::object& message, headers more = {}) {
    return send("POST", to_text(json::value(message)), std::move(more));
  }

  /// Sends a request of revision 2026-07-28 with the headers that it needs.
  sent modern(std::string_view method, json::object params = {}, headers more = {},
    json::object capabilities = {}, json::object meta = {}) {
    headers all{{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", std::string{method}}};
    const auto* name = params.if_contains("name");
    if (name == nullptr)
      name = params.if_contains("uri");
    if (name != nullptr && name->is_string())
      all.push_back({"mcp-name", std::string{name->get_string()}});
    for (auto& x : more)
      all.push_back(std::move(x));
    return post(request_of(++last_id, method,
                  modern_params(std::move(params), std::move(capabilities), std::move(meta))),
      std::move(all));
  }

  /// Begins a session. Returns its id.
  std::string begin(json::object capabilities = {}) {
    auto begun = post(request_of(++last_id, "initialize",
      {{"protocolVersion", "2025-11-25"}, {"capabilities", std::move(capabilities)}}));
    session = begun->header("Mcp-Session-Id");
    return session;
  }

  static headers of_session(const std::string& id) { return {{"mcp-session-id", id}}; }

  sent legacy(std::string_view method, json::object params = {}) {
    return post(request_of(++last_id, method, std::move(params)), of_session(session));
  }

  std::shared_ptr<manual_strand> strand = std::make_shared<manual_strand>();
  std::shared_ptr<fixtures> offers = std::make_shared<fixtures>();
  std::shared_ptr<mcp::http_endpoint> endpoint;
  principal who{as_daemon("tester"), "main"};
  std::string session;
  std::vector<std::weak_ptr<fake_exchange>> all_sent;
  int last_id = 0;
};

} // namespace scratchpage::test
