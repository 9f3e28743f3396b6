#pragma once

#include <atomic>
#include <mutex>
#include <utility>

#include "scratchpage/runtime/http/counter.hpp"
#include "scratchpage/runtime/http/exchange.hpp"
#include "scratchpage/runtime/http/rate_limit.hpp"
#include "scratchpage/runtime/http/server_config.hpp"

namespace scratchpage::http {

/// What all connections of a server share.
struct service {
  service(server_config x, handler answers)
    : config{std::move(x)},
      answer{std::move(answers)},
      connections{config.max_connections},
      refusals{64},
      streams{config.max_streams},
      bodies{config.max_bodies_bytes},
      rates{config.requests_per_second, config.request_burst, config.max_peers} {}

  /// Whether a peer may ask now; or in how many seconds.
  std::optional<uint32_t> admit(const std::string& peer) {
    if (!rates.is_on())
      return std::nullopt;
    std::lock_guard lock{rates_mutex};
    return rates.take(peer, std::chrono::steady_clock::now());
  }

  const server_config config;
  handler answer;
  counter connections;
  counter refusals; ///< connections beyond the most, which are told so and closed
  counter streams;
  budget bodies; ///< bytes of those that have not come whole
  std::atomic<bool> draining{false};

private:
  std::mutex rates_mutex;
  rate_limit rates;
};

} // namespace scratchpage::http
