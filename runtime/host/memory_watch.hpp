#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include <caf/error.hpp>

namespace scratchpage {

/// Whether a process has taken as much memory as it may: the last bound, of which all others are
/// parts. May be used from any thread.
class memory_watch {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// It is looked no more often than that, since it costs as much as a small request.
  static constexpr std::chrono::milliseconds between_looks{20};

  /// `resident` tells what the process has now.
  memory_watch(uint64_t most, std::function<uint64_t()> resident);

  uint64_t most() const { return most_; }

  /// `overloaded` about `memory` while the process has more than it may. For whatever needs
  /// memory that stays.
  caf::error check() const { return check(std::chrono::steady_clock::now()); }
  caf::error check(time_point now) const;

private:
  const uint64_t most_;
  const std::function<uint64_t()> resident_;
  mutable std::atomic<time_point> next_look_{};
  mutable std::atomic<bool> is_over_{false};
};

} // namespace scratchpage
