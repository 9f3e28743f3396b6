#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/http/answered_request.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/net/http/server_stats.hpp"

namespace scratchpage::http {

/// Serves HTTP/1.1 (RFC 9112), HTTP/1.0 and WebSockets (RFC 6455) on threads of its own.
class server {
public:
  /// Listens when it returns. Errors name the field of the configuration: one out of its
  /// range, an address that is in use, a certificate that cannot be read.
  /// Answers that are not sent yet count in `held`, which others may share; null: it has a budget
  /// of its own.
  static caf::expected<std::unique_ptr<server>> start(server_config config, handler answer,
    on_answered tell = {}, std::shared_ptr<answer_budget> held = nullptr);

  /// Stops; what is under way is cut off, and every callback has been called when it
  /// returns. Not from one of the server's threads.
  ~server();

  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// On which it listens; 0 for a local socket.
  uint16_t port() const;

  /// Tells what has been counted so far, also when the server has ended.
  std::function<server_stats()> stats() const;

  /// Who connects from now on is refused; connections that are there go on.
  void stop_accepting();

  /// Stops accepting, answers what was asked, ends streams after what was written to
  /// them (those that are answers when they have come to their end), and closes every
  /// connection. False if `within` was not enough: what is left
  /// goes on then, until the server stops. Blocks; not from one of the server's threads.
  bool drain(timespan within);

private:
  struct parts;

  explicit server(std::unique_ptr<parts> x);

  std::unique_ptr<parts> parts_;
};

} // namespace scratchpage::http
