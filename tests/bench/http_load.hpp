#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace scratchpage::bench {

/// The load of clients on keep-alive connections to a server on this machine.
struct http_load {
  size_t connections = 32; ///< each with one request at a time
  double per_second = 0;   ///< rate of requests; 0: as fast as they are answered
  std::chrono::milliseconds lasts{4'000};
};

/// The results of a load. The time of a request counts from when it was due.
struct load_figures {
  double per_second = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  size_t refused = 0; ///< answers other than 2xx
};

/// Adds observations to an agent's page. Throws std::system_error if the server cannot be
/// reached or ends.
load_figures add_over_http(uint16_t port, const http_load& how);

/// Event streams of which only the heads are read.
class open_streams {
public:
  /// Sizes of the receive buffer: `few` bytes for streams that nobody reads, and the system's
  /// default for others.
  static constexpr int few = 4'096;
  static constexpr int usual = 0;

  /// Opens a stream for each query. Throws std::system_error if that fails or a status is not 200.
  open_streams(uint16_t port, const std::vector<std::string>& queries, int receive_buffer = few);
  ~open_streams();
  open_streams(const open_streams&) = delete;
  open_streams& operator=(const open_streams&) = delete;

  const std::vector<int>& sockets() const { return sockets_; }

private:
  std::vector<int> sockets_;
};

/// Event streams that one thread reads continuously.
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
