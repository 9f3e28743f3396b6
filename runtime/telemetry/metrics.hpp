#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::telemetry {

/// A histogram of durations. Thread-safe without locks: a reader may see a sum that already has a
/// value that the counts do not have yet.
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

  /// The count of bucket `i` alone; `i` is in [0, bounds.size()].
  uint64_t count(size_t i) const { return counts_[i].load(std::memory_order_relaxed); }
  double seconds() const {
    return static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) / 1e9;
  }

private:
  std::array<std::atomic<uint64_t>, bounds.size() + 1> counts_{};
  std::atomic<uint64_t> nanoseconds_{0};
};

enum class metric_type : uint8_t { counter, gauge, histogram };

/// Names and values that distinguish the samples of one metric.
using labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Writes metrics for Prometheus (text exposition format 0.0.4). The samples of a metric follow its
/// head. Names are not checked.
class metrics_text {
public:
  static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

  void head(std::string_view name, metric_type type, std::string_view help);

  void sample(std::string_view name, labels of, double value);
  void sample(std::string_view name, labels of, uint64_t value);

  /// All samples of a histogram, in seconds.
  void samples(std::string_view name, labels of, const duration_histogram& values);

  /// The head and the only sample of a metric without labels.
  void only(std::string_view name, metric_type type, std::string_view help, double value);

  std::string take() { return std::move(text_); }

private:
  void begin(
    std::string_view name, labels of, std::string_view suffix = {}, std::string_view bound = {});

  std::string text_;
};

/// A call that has begun.
struct begun_call {
  size_t operation = 0; ///< its index among the names that are counted
  std::chrono::steady_clock::time_point at;
};

/// Counts calls of operations by outcome, and how long they take. One object serves all agents of a
/// process. Thread-safe without locks.
class operation_metrics {
public:
  /// Counts calls of the operations with these names, which outlive this object.
  explicit operation_metrics(std::vector<std::string_view> names);

  begun_call begin(std::string_view operation) const;
  void end(const begun_call& x, errc how = errc::none);

  /// Writes the metrics of operations that were called.
  void write(metrics_text& to) const;

private:
  struct counts {
    std::array<std::atomic<uint64_t>, enum_names<errc>.size()> ended{}; ///< by outcome
    duration_histogram took;
  };

  std::vector<std::string_view> names_;
  std::vector<std::unique_ptr<counts>> by_operation_; ///< the last one: all other names
};

/// Writes what the operating system knows of this process: CPU time, memory, open files. The names
/// are those that all clients of Prometheus use. Values that cannot be read are left out.
void write_process_metrics(metrics_text& to);

} // namespace scratchpage::telemetry
