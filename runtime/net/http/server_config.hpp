#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::http {

/// Where a server listens, and what it puts up with; docs/http.md says what a client is
/// told at each limit.
struct server_config {
  std::string address = "127.0.0.1"; ///< IPv4 or IPv6, not a name
  uint16_t port = 0;                 ///< 0: whichever is free
  std::string socket_path;           ///< a Unix domain socket instead, for its owner alone (0600)

  std::string certificate_file; ///< PEM, with its chain; with it TLS 1.2 or later, else none
  std::string key_file;         ///< PEM, without a passphrase

  /// 1 to 64; a connection stays with one, the handler is called on each. They run the actors
  /// that answer, too (`actor_guest`).
  uint64_t threads = 2;
  /// At a time, streams among them; fewer if the process may not have so many descriptors.
  uint64_t max_connections = 1'024;
  /// Of one peer, as with rates; a local socket, which is for its owner alone, has no such limit.
  uint64_t max_connections_per_peer = 512;
  uint64_t max_streams = 512; ///< streams and WebSockets at a time
  /// Of one credential, or of all without one at one peer; 0: a quarter of `max_streams`.
  uint64_t max_streams_per_caller = 0;

  uint64_t max_header_bytes = 16'384;      ///< request line and headers; 256 to 1 MiB
  uint64_t max_target_bytes = 8'192;       ///< of the request line; 16 to max_header_bytes
  uint64_t max_body_bytes = 4'194'304;     ///< of a request's body, and of a WebSocket's message
  uint64_t max_bodies_bytes = 268'435'456; ///< of all bodies and messages that have not come whole
  uint64_t max_waiting_bytes = 1'048'576;  ///< that a stream's reader has not taken; beyond it ends

  uint64_t max_answer_bytes = 8'388'608;    ///< of what one operation answers
  uint64_t max_batch_bytes = 16'777'216;    ///< of what the calls of a batch answer together
  uint64_t max_answers_bytes = 268'435'456; ///< of all that were made and are not sent yet

  /// Each from a millisecond to a day; rounded up by an eighth of the shortest.
  timespan header_timeout = std::chrono::seconds{10}; ///< a request's first byte to its last header
  timespan body_timeout = std::chrono::seconds{30};   ///< the whole body, or message
  timespan idle_timeout = std::chrono::seconds{60};   ///< no request; a WebSocket without a sign
  timespan write_timeout = std::chrono::seconds{30};  ///< nothing of an answer is taken
  timespan answer_timeout = std::chrono::seconds{660}; ///< the handler's; a turn takes its time

  /// Before somebody who wants to change something is told that there is too much to do (413, 429,
  /// 503); up to a minute, 0: none.
  timespan refusal_pause = std::chrono::milliseconds{100};

  double requests_per_second = 0; ///< of one peer, an IPv6 network /64 being one; 0: any number
  uint64_t request_burst = 100;   ///< at once, if there is such a limit
  uint64_t max_peers = 4'096;     ///< whose rates are known at a time

  static constexpr auto fields(auto all) {
    using self = server_config;
    return all(optional("address", &self::address), optional("port", &self::port),
      optional("socket_path", &self::socket_path),
      optional("certificate_file", &self::certificate_file), optional("key_file", &self::key_file),
      optional("threads", &self::threads), optional("max_connections", &self::max_connections),
      optional("max_connections_per_peer", &self::max_connections_per_peer),
      optional("max_streams", &self::max_streams),
      optional("max_streams_per_caller", &self::max_streams_per_caller),
      optional("max_header_bytes", &self::max_header_bytes),
      optional("max_target_bytes", &self::max_target_bytes),
      optional("max_body_bytes", &self::max_body_bytes),
      optional("max_bodies_bytes", &self::max_bodies_bytes),
      optional("max_waiting_bytes", &self::max_waiting_bytes),
      optional("max_answer_bytes", &self::max_answer_bytes),
      optional("max_batch_bytes", &self::max_batch_bytes),
      optional("max_answers_bytes", &self::max_answers_bytes),
      optional("header_timeout_ms", &self::header_timeout),
      optional("body_timeout_ms", &self::body_timeout),
      optional("idle_timeout_ms", &self::idle_timeout),
      optional("write_timeout_ms", &self::write_timeout),
      optional("answer_timeout_ms", &self::answer_timeout),
      optional("refusal_pause_ms", &self::refusal_pause),
      optional("requests_per_second", &self::requests_per_second),
      optional("request_burst", &self::request_burst), optional("max_peers", &self::max_peers));
  }
};

/// `invalid_request` that names the field, as "http.port"; or no error.
caf::error validate(const server_config& x);

/// How many connections there may be at a time: as configured, but only so many that the
/// reserve of descriptors is left.
uint64_t most_connections(const server_config& x);

/// The same with at most so many connections, of which a peer has the same share.
server_config with_connections(server_config x, uint64_t most);

/// Whoever has taken nothing of an answer for so long is the first to make room for others.
inline timespan stall_time(const server_config& x) {
  return x.write_timeout / 60;
}

/// How many of them one peer may have; the fewer there are in all, the fewer.
uint64_t most_connections_of_peer(const server_config& x);

/// How many streams one caller may have.
uint64_t most_streams_of_caller(const server_config& x);

/// How many streams one peer may have: half of its connections, so that it can ask for something
/// else beside them.
uint64_t most_streams_of_peer(const server_config& x);

/// How often deadlines are looked at.
timespan tick_of(const server_config& x);

} // namespace scratchpage::http
