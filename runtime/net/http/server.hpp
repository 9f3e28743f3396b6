#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <caf/expected.hpp>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::http {

/// A request and its answer, for the access log. The query is left out, since it may have secrets.
struct access_log_entry {
  std::string method;
  std::string path;
  std::string peer;
  uint32_t status = 0;
  timespan took{}; ///< until the answer, or until the beginning of a stream
};

/// Called on a thread of the server, which it must not block.
using on_answered = std::function<void(const access_log_entry&)>;

/// What a server has answered so far, and what is open now.
struct server_stats {
  /// Number of answers by the first digit of their status.
  std::array<uint64_t, 6> responses{};
  uint64_t connections = 0;
  uint64_t max_connections = 0; ///< as configured, or fewer if there are few descriptors
  uint64_t streams = 0;         ///< event streams and WebSockets
};

/// Serves HTTP/1.1 (RFC 9112), HTTP/1.0 and WebSockets (RFC 6455) on threads of its own.
class server {
public:
  /// Starts a server, which listens when this returns. Errors name the field of the configuration:
  /// a value that is out of range, an address that is in use, a certificate that cannot be read.
  /// `tell` gets an entry for each answer. Answers that are not sent yet are counted in `held`,
  /// which servers may share; null: the server has a budget of its own.
  static caf::expected<std::unique_ptr<server>> start(server_config config, handler answer,
    on_answered tell = {}, std::shared_ptr<answer_budget> held = nullptr);

  /// Stops the server and cuts off its connections. Every callback has been called when this
  /// returns. Must not be called on one of the server's threads.
  ~server();

  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// The port on which it listens; 0 for a local socket.
  uint16_t port() const;

  /// A function that gives the current counts. It may be called after the server has ended.
  std::function<server_stats()> stats() const;

  /// Refuses new connections from now on; open ones continue.
  void stop_accepting();

  /// Stops accepting, answers the requests that have arrived, ends the streams (see `at_drain`),
  /// and closes every connection. Blocks for at most `within`. False if that was not enough: the
  /// connections that are left continue until the server stops. Must not be called on one of the
  /// server's threads.
  bool drain(timespan within);

private:
  struct parts;

  explicit server(std::unique_ptr<parts> x);

  std::unique_ptr<parts> parts_;
};

} // namespace scratchpage::http
