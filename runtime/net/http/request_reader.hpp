#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::http {

/// Reads requests of HTTP/1.0 and HTTP/1.1 (RFC 9112) from the bytes of a connection, one after the
/// other. It refuses requests that two programs might read in two ways, for example with two
/// lengths of the body.
class request_reader {
public:
  /// Facts about the request that its fields do not have.
  struct traits {
    bool keep_alive = false;       ///< the connection stays open after the answer
    bool is_1_1 = false;           ///< HTTP/1.1: the answer may have chunks
    bool expects_continue = false; ///< the client waits for 100 before it sends the body
    bool asks_websocket = false;   ///< a handshake of RFC 6455, version 13
  };

  explicit request_reader(const server_config& limits);
  ~request_reader();

  /// Reads from `bytes` and gives how many it has used. The caller passes the others again, with
  /// more behind them. 0 when the request is complete or refused.
  size_t feed(std::string_view bytes);

  bool has_begun() const;
  bool has_head() const;
  bool is_done() const;
  const std::optional<refusal>& refused() const;
  const http::request& request() const;
  const traits& facts() const;

  /// Gives the complete request and begins the next one.
  http::request take();

private:
  class parser;

  std::unique_ptr<parser> parser_;
};

} // namespace scratchpage::http
