#pragma once

#include <array>
#include <cstdint>

namespace scratchpage::http {

/// What a server has counted, and what is open now.
struct server_stats {
  /// Answers by the first digit of their status.
  std::array<uint64_t, 6> responses{};
  uint64_t connections = 0;
  uint64_t max_connections = 0; ///< as configured, or as many as there are descriptors for
  uint64_t streams = 0;         ///< WebSockets among them
};

} // namespace scratchpage::http
