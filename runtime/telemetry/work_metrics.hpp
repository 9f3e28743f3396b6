#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"

namespace scratchpage::telemetry {

/// Counts the work of all agents of a process by their trace entries: turns, calls of tools,
/// memories. The label values are bounded. Thread-safe.
class work_metrics {
public:
  /// Tools that have counts of their own; those that come later count as "other".
  static constexpr size_t max_tools = 64;

  /// Counts an entry, if it is about something that is counted.
  void count(const trace_entry& x);

  void write(metrics_text& to) const;

private:
  static constexpr size_t statuses = enum_names<turn_status>.size();

  struct tool {
    std::map<std::string, uint64_t, std::less<>> ended; ///< by status
    duration_histogram took;
  };

  void count_turn_end(const trace_entry& x);
  void count_call(const trace_entry& x);
  tool& tool_of(std::string_view name);

  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> refused_{0}; ///< turns that could not begin
  std::array<std::atomic<uint64_t>, statuses> ended_{};
  duration_histogram turns_;
  std::atomic<uint64_t> promoted_{0};
  std::atomic<uint64_t> not_promoted_{0};
  std::atomic<uint64_t> learned_{0};
  std::atomic<uint64_t> recorded_{0};
  std::atomic<uint64_t> goals_{0};
  std::atomic<uint64_t> questions_{0};
  std::atomic<uint64_t> answers_{0};
  std::atomic<uint64_t> entries_{0};
  mutable std::mutex guard_; // of the tools
  std::map<std::string, std::unique_ptr<tool>, std::less<>> tools_;
};

/// A trace sink that counts entries and passes them on to another sink.
class counting_trace : public trace_sink {
public:
  /// `kept` may be null: then entries are only counted.
  counting_trace(std::shared_ptr<trace_sink> kept, std::shared_ptr<work_metrics> to)
    : kept_{std::move(kept)},
      to_{std::move(to)} {}

  void write(trace_entry entry) override {
    to_->count(entry);
    if (kept_)
      kept_->write(std::move(entry));
  }

  /// Counts have no data that would have to be masked.
  bool mask_with(const std::shared_ptr<const pii_masker>& masker) override {
    return !kept_ || kept_->mask_with(masker);
  }

private:
  std::shared_ptr<trace_sink> kept_;
  std::shared_ptr<work_metrics> to_;
};

} // namespace scratchpage::telemetry
