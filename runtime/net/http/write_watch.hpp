#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/net/http/worker.hpp"

namespace scratchpage::http {

/// How long the other side has been taking nothing of what is written to it.
class write_watch {
public:
  explicit write_watch(const server_config& with)
    : timeout_{std::chrono::duration_cast<std::chrono::steady_clock::duration>(with.write_timeout)},
      stall_{std::chrono::duration_cast<std::chrono::steady_clock::duration>(stall_time(with))} {}

  void begin() {
    auto now = std::chrono::steady_clock::now();
    over_at_ = now + timeout_;
    stalled_at_ = now + stall_;
  }

  /// Something was taken. Whether it had `stalled`.
  bool end() {
    over_at_ = stalled_at_ = never;
    return std::exchange(has_stalled_, false);
  }

  /// Not to wait longer than that.
  void hurry(timespan within) { over_at_ = std::min(over_at_, steady_after(within)); }

  bool is_over(steady_time now) const { return now >= over_at_; }

  /// True once for each write that nobody takes.
  bool stalls(steady_time now) { return now >= stalled_at_ && !std::exchange(has_stalled_, true); }

  bool has_stalled() const { return has_stalled_; }

private:
  std::chrono::steady_clock::duration timeout_;
  std::chrono::steady_clock::duration stall_;
  steady_time over_at_ = never;
  steady_time stalled_at_ = never;
  bool has_stalled_ = false;
};

} // namespace scratchpage::http
