#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/http/answered_request.hpp"
#include "scratchpage/runtime/net/http/counter.hpp"
#include "scratchpage/runtime/net/http/descriptors.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/guest_book.hpp"
#include "scratchpage/runtime/net/http/rate_limit.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/net/http/server_stats.hpp"
#include "scratchpage/runtime/net/http/stream_places.hpp"

namespace scratchpage::http {

/// What all connections of a server share.
struct service {
  service(server_config x, handler answers, on_answered tell, std::shared_ptr<answer_budget> of)
    : config{std::move(x)},
      answer{std::move(answers)},
      tell_answered{std::move(tell)},
      answers_held{of ? std::move(of) : std::make_shared<answer_budget>(config)},
      connections{most_connections(config), most_connections_of_peer(config)},
      refusals{std::min<uint64_t>(64, reserved_descriptors(descriptor_limit()) / 8)},
      streams{{config.max_streams, most_streams_of_caller(config), most_streams_of_peer(config)}},
      bodies{config.max_bodies_bytes},
      rates{config.requests_per_second, config.request_burst, config.max_peers} {}

  /// Whether a peer may ask now; or in how many seconds.
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
    result.max_connections = connections.most();
    result.streams = streams.count();
    return result;
  }

  const server_config config;
  handler answer;
  const on_answered tell_answered; ///< may be empty
  const std::shared_ptr<answer_budget> answers_held;
  guest_book connections;
  counter refusals; ///< connections beyond the most, which are told so and closed
  stream_places streams;
  budget bodies; ///< bytes of those that have not come whole
  std::atomic<bool> draining{false};
  std::array<std::atomic<uint64_t>, 6> responses{}; ///< as `server_stats` has them

private:
  std::mutex rates_mutex;
  rate_limit rates;
};

} // namespace scratchpage::http
