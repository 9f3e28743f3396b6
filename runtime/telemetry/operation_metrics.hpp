#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/telemetry/metrics_text.hpp"

namespace scratchpage::telemetry {

/// A call that is under way.
struct begun_call {
  size_t operation = 0; ///< its place among the names that are counted
  std::chrono::steady_clock::time_point at;
};

/// How often operations were called, how that ended, and how long it took. One for all
/// agents of a process; from any thread, without waiting.
class operation_metrics {
public:
  /// Counts calls of these; their names outlive it.
  explicit operation_metrics(std::vector<std::string_view> names);

  begun_call begin(std::string_view operation) const;
  void end(const begun_call& x, errc how = errc::none);

  /// Those that were called.
  void write(metrics_text& to) const;

private:
  struct counts {
    std::array<std::atomic<uint64_t>, enum_names<errc>.size()> ended{}; ///< by how
    duration_histogram took;
  };

  std::vector<std::string_view> names_;
  std::vector<std::unique_ptr<counts>> by_operation_; ///< the last: names that nobody has
};

} // namespace scratchpage::telemetry
