#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "scratchpage/runtime/cli/io/log.hpp"
#include "scratchpage/runtime/net/http/answered_request.hpp"
#include "scratchpage/runtime/telemetry/allowance.hpp"

namespace scratchpage {

/// Tells a log of requests that were answered: those that went well for who wants to know
/// everything, and those that were refused, of which a flood does not fill the log. From any
/// thread.
class request_log {
public:
  /// Refused requests that are told of in a second; of the others it is told how many there were.
  static constexpr uint64_t most_refused_per_second = 20;

  using time_point = telemetry::allowance::time_point;

  explicit request_log(log& to);

  void tell(const http::answered_request& x) { tell(x, std::chrono::steady_clock::now()); }
  void tell(const http::answered_request& x, time_point now);

private:
  /// Whether one more may be told of.
  bool may_tell(time_point now);

  log& to_;
  std::mutex guard_;
  telemetry::allowance allowed_;
  uint64_t left_out_ = 0;
};

} // namespace scratchpage
