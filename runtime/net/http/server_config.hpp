#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::http {

/// Where a server listens, and its limits. docs/http.md says what a client is told at each limit.
struct server_config {
  std::string address = "127.0.0.1"; ///< IPv4 or IPv6, not a name
  uint16_t port = 0;                 ///< 0: any free port
  std::string socket_path;           ///< a Unix domain socket instead, only for its owner (0600)

  std::string certificate_file; ///< PEM, with its chain, for TLS 1.2 or later; "": no TLS
  std::string key_file;         ///< PEM, without a passphrase

  /// 1 to 64. A connection stays on one thread; the handler is called on all of them. The threads
  /// also run the actors that answer (`inline_executor`).
  uint64_t threads = 2;
  /// Open at a time, streams included; fewer if the process may not open so many descriptors.
  uint64_t max_connections = 1'024;
  /// The same of one peer (`peer_key`). Local sockets do not have this limit.
  uint64_t max_connections_per_peer = 512;
  uint64_t max_streams = 512; ///< streams and WebSockets at a time
  /// The same of one caller (`stream_caller`); 0: a quarter of `max_streams`.
  uint64_t max_streams_per_caller = 0;

  uint64_t max_header_bytes = 16'384;      ///< request line and headers; 256 to 1 MiB
  uint64_t max_target_bytes = 8'192;       ///< of the request line; 16 to max_header_bytes
  uint64_t max_body_bytes = 4'194'304;     ///< of a request's body, and of a WebSocket's message
  uint64_t max_bodies_bytes = 268'435'456; ///< of all bodies and messages that are incomplete
  uint64_t max_waiting_bytes = 1'048'576;  ///< not sent yet on a stream; with more, it ends

  uint64_t max_answer_bytes = 8'388'608;    ///< of the answer of one operation
  uint64_t max_batch_bytes = 16'777'216;    ///< of the answers of a batch together
  uint64_t max_answers_bytes = 268'435'456; ///< of all answers that are not sent yet

  /// Each from a millisecond to a day. They may end later by an eighth of the shortest.
  timespan header_timeout = std::chrono::seconds{10}; ///< a request's first byte to its last header
  timespan body_timeout = std::chrono::seconds{30};   ///< the whole body, or message
  timespan idle_timeout = std::chrono::seconds{60};   ///< no request; no sign of a WebSocket
  timespan write_timeout = std::chrono::seconds{30};  ///< the client reads nothing of an answer
  timespan answer_timeout = std::chrono::seconds{660}; ///< for the handler; turns take long

  /// The pause before a request that changes something is refused because of overload (413, 429,
  /// 503); up to a minute, 0: none.
  timespan refusal_pause = std::chrono::milliseconds{100};

  double requests_per_second = 0; ///< of one peer (`peer_key`); 0: no limit
  uint64_t request_burst = 100;   ///< at once, if there is such a limit
  uint64_t max_peers = 4'096;     ///< whose rates are remembered

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

/// `invalid_request` about the field that is wrong, such as "http.port".
caf::error validate(const server_config& x);

/// The maximum number of connections: as configured, or fewer so that the reserve of descriptors is
/// left.
uint64_t connection_limit(const server_config& x);

/// The same configuration with at most `max` connections; a peer keeps its share of them.
server_config with_connections(server_config x, uint64_t max);

/// A client that reads nothing of an answer for this time has stalled (`stay::stalled`).
inline timespan stall_time(const server_config& x) {
  return x.write_timeout / 60;
}

/// The maximum number of connections of one peer, in proportion to `connection_limit`.
uint64_t connection_limit_of_peer(const server_config& x);

/// The maximum number of streams of one caller.
uint64_t stream_limit_of_caller(const server_config& x);

/// The maximum number of streams of one peer: half of its connections, so that others are left for
/// requests.
uint64_t stream_limit_of_peer(const server_config& x);

/// How often deadlines are checked.
timespan tick_of(const server_config& x);

// File descriptors, whose number is limited for each process (RLIMIT_NOFILE, `ulimit -n`).

/// Raises the limit of this process as far as it may, and gives the new limit.
uint64_t raise_descriptor_limit();

/// The limit of this process now.
uint64_t descriptor_limit();

/// The reserve of descriptors for everything but connections and agents, such as the database.
uint64_t reserved_descriptors(uint64_t limit);

/// Divides the descriptors of the process.
struct descriptor_plan {
  /// `of_agent`: how many each agent needs; `max_agents`: how many agents there may be.
  static descriptor_plan of(uint64_t limit, uint64_t of_agent, uint64_t max_agents);

  uint64_t agents;      ///< that may be open at a time, for a third of the descriptors at most
  uint64_t connections; ///< that may be open at a time
};

/// Whether only the last quarter of the reserve is left. The system always gives the lowest free
/// descriptor, so a descriptor in that quarter shows that all others are in use.
bool is_in_reserve(int descriptor);

/// As above, for the next descriptor that the system would give.
bool are_descriptors_scarce();

} // namespace scratchpage::http
