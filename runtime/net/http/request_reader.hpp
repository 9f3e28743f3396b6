#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "scratchpage/runtime/net/http/refusal.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::http {

/// Reads requests of HTTP/1.0 and HTTP/1.1 (RFC 9112) from the bytes of a connection,
/// one after the other. Strict where two readers might see two things: who tells it
/// where a body ends in two ways is refused.
class request_reader {
public:
  /// What is known of the request beside itself.
  struct traits {
    bool keep_alive = false;       ///< the connection lasts beyond it
    bool is_1_1 = false;           ///< may be answered in chunks
    bool expects_continue = false; ///< waits for 100 before it sends the body
    bool asks_websocket = false;   ///< a handshake of RFC 6455, version 13
  };

  explicit request_reader(const server_config& limits);
  ~request_reader();

  /// Takes what it can of `bytes` and says how many; the others have to come again,
  /// with more behind them. Nothing once it is done or refused.
  size_t feed(std::string_view bytes);

  bool has_begun() const;
  bool has_head() const;
  bool is_done() const;
  const std::optional<refusal>& refused() const;
  const http::request& request() const;
  const traits& facts() const;

  /// The request; the next one begins.
  http::request take();

private:
  class parser;

  std::unique_ptr<parser> parser_;
};

} // namespace scratchpage::http
