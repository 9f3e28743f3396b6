#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/mcp/server/stdio_session.hpp"
#include "scratchpage/tests/runtime/mcp/server/manual_strand.hpp"
#include "scratchpage/tests/runtime/mcp/server/messages.hpp"

namespace scratchpage::test {

/// What a server has sent, which may be deeper than what it takes.
inline json::value parsed(const std::string& line) {
  json::parse_options options;
  options.max_depth = 128;
  return json::parse(line, {}, options);
}

/// A client that exchanges lines with a server, on a strand that the test runs.
struct line_client {
  explicit line_client(
    std::shared_ptr<mcp::provider> offers, mcp::server_config config = {}, bool may_write = true)
    : session{std::make_shared<mcp::stdio_session>(
      std::make_shared<mcp::server>(strand, std::move(offers), std::move(config)),
      principal{as_daemon("tester"), "main", may_write},
      [this](const std::string& line) { heard.push_back(parsed(line)); })} {}

  ~line_client() {
    session->close();
    strand->run();
    strand->stop();
  }

  /// Sends a line and runs all work that needs no time to pass.
  void say(const std::string& line) {
    session->receive(line, [this] { ++done; });
    strand->run();
  }

  void say(const json::object& message) { say(to_text(json::value(message))); }

  /// Sends a message. Returns the last message that comes back, or null.
  json::value hear(const json::object& message) {
    heard.clear();
    say(message);
    return heard.empty() ? json::value{} : heard.back();
  }

  json::value legacy(std::string_view method, json::object params = {}) {
    return hear(request_of(++last_id, method, std::move(params)));
  }

  json::value modern(std::string_view method, json::object params = {},
    json::object capabilities = {}, json::object meta = {}) {
    return hear(request_of(++last_id, method,
      modern_params(std::move(params), std::move(capabilities), std::move(meta))));
  }

  void begin(json::object capabilities = {}) {
    legacy(
      "initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", std::move(capabilities)}});
    say(notice_of("notifications/initialized"));
    heard.clear();
  }

  std::shared_ptr<manual_strand> strand = std::make_shared<manual_strand>();
  std::vector<json::value> heard;
  int last_id = 0;
  int done = 0; ///< lines whose answers were all written
  std::shared_ptr<mcp::stdio_session> session;
};

} // namespace scratchpage::test
