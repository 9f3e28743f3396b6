#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scratchpage::bench {

/// What clients on keep-alive connections ask of a server on this machine.
struct http_load {
  size_t connections = 32; ///< with one request each at a time
  double per_second = 0;   ///< when requests are due; 0: when the last is answered
  std::chrono::milliseconds lasts{4'000};
};

/// How that went. A request's time counts from when it was due.
struct load_figures {
  double per_second = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  size_t refused = 0; ///< answers other than 2xx
};

/// Adds one observation after the other to an agent's page. Throws std::system_error if
/// the server cannot be reached or goes away.
load_figures add_over_http(uint16_t port, const http_load& how);

/// Event streams whose readers read the head and no more.
class open_streams {
public:
  /// Throws std::system_error, also if one is not answered with 200.
  open_streams(uint16_t port, const std::vector<std::string>& queries);
  ~open_streams();
  open_streams(const open_streams&) = delete;
  open_streams& operator=(const open_streams&) = delete;

private:
  std::vector<int> sockets_;
};

} // namespace scratchpage::bench
