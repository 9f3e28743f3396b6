#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "scratchpage/runtime/net/http/admission.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::http {

/// The state that all connections of a server share.
struct service {
  service(server_config x, handler answers, on_answered tell, std::shared_ptr<answer_budget> of)
    : config{std::move(x)},
      answer{std::move(answers)},
      tell_answered{std::move(tell)},
      answers_held{of ? std::move(of) : std::make_shared<answer_budget>(config)},
      connections{connection_limit(config), connection_limit_of_peer(config)},
      refusals{std::min<uint64_t>(64, reserved_descriptors(descriptor_limit()) / 8)},
      streams{{config.max_streams, stream_limit_of_caller(config), stream_limit_of_peer(config)}},
      bodies{config.max_bodies_bytes},
      rates{config.requests_per_second, config.request_burst, config.max_peers} {}

  /// Nothing if the peer may send a request now; else the seconds until it may.
  std::optional<uint32_t> admit(const std::string& peer) {
    if (!rates.is_on())
      return std::nullopt;
    std::lock_guard lock{rates_mutex};
    return rates.take(peer, std::chrono::steady_clock::now());
  }

  void count_response(unsigned status) {
    if (auto kind = status / 100; kind < responses.size())
      responses[kind].fetch_add(1, std::memory_order_relaxed);
  }

  server_stats stats() const {
    server_stats result;
    for (size_t i = 0; i < responses.size(); ++i)
      result.responses[i] = responses[i].load(std::memory_order_relaxed);
    result.connections = connections.count();
    result.max_connections = connections.max();
    result.streams = streams.count();
    return result;
  }

  const server_config config;
  handler answer;
  const on_answered tell_answered; ///< may be empty
  const std::shared_ptr<answer_budget> answers_held;
  guest_book connections;
  counter refusals; ///< connections beyond the limit, which are told so and closed
  stream_limit streams;
  budget bodies; ///< bytes of bodies and messages that are incomplete
  std::atomic<bool> draining{false};
  std::array<std::atomic<uint64_t>, 6> responses{}; ///< as in `server_stats`

private:
  std::mutex rates_mutex;
  rate_limit rates;
};

} // namespace scratchpage::http
