#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
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

/// Event streams, of which the heads are read.
class open_streams {
public:
  /// Bytes that may be under way to who does not read; as many as is usual to who does.
  static constexpr int few = 4'096;
  static constexpr int usual = 0;

  /// Throws std::system_error, also if one is not answered with 200.
  open_streams(uint16_t port, const std::vector<std::string>& queries, int receive_buffer = few);
  ~open_streams();
  open_streams(const open_streams&) = delete;
  open_streams& operator=(const open_streams&) = delete;

  const std::vector<int>& sockets() const { return sockets_; }

private:
  std::vector<int> sockets_;
};

/// The same, of which everything is read as it comes, by one thread.
class read_streams {
public:
  read_streams(uint16_t port, const std::vector<std::string>& queries);
  ~read_streams();
  read_streams(const read_streams&) = delete;
  read_streams& operator=(const read_streams&) = delete;

private:
  void run();

  open_streams open_;
  std::thread reader_;
};

} // namespace scratchpage::bench
