#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::telemetry {

/// How long something took, counted by bounds. From any thread, without waiting; a reader
/// may see a sum that is a value ahead of its counts.
class duration_histogram {
public:
  /// Upper bounds in seconds; the last bucket has none.
  static constexpr std::array bounds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
    0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0};

  void add(timespan took) {
    auto seconds = in_milliseconds(took) / 1'000;
    auto at = std::lower_bound(bounds.begin(), bounds.end(), seconds) - bounds.begin();
    counts_[static_cast<size_t>(at)].fetch_add(1, std::memory_order_relaxed);
    nanoseconds_.fetch_add(static_cast<uint64_t>(took.count()), std::memory_order_relaxed);
  }

  /// Of bucket `i` alone, in [0, bounds.size()].
  uint64_t count(size_t i) const { return counts_[i].load(std::memory_order_relaxed); }
  double seconds() const {
    return static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) / 1e9;
  }

private:
  std::array<std::atomic<uint64_t>, bounds.size() + 1> counts_{};
  std::atomic<uint64_t> nanoseconds_{0};
};

} // namespace scratchpage::telemetry
