#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"

namespace scratchpage {

struct trace_config {
  bool keep = true; ///< in the agent's storage
  double days = 7;  ///< for how long; in [0, 36500]
  /// Bytes in the agent's storage, as they are compressed there; beyond it the oldest entries are
  /// forgotten. At least 1 MiB.
  uint64_t max_bytes = uint64_t{1} << 30;
  uint64_t max_waiting = 50'000; ///< entries; beyond it they are dropped, which the trace tells
  uint64_t max_waiting_bytes = uint64_t{32} << 20; ///< of memory, about; likewise

  static constexpr auto fields(auto all) {
    using self = trace_config;
    return all(optional("keep", &self::keep), optional("days", &self::days),
      optional("max_bytes", &self::max_bytes), optional("max_waiting", &self::max_waiting),
      optional("max_waiting_bytes", &self::max_waiting_bytes));
  }
};

caf::error validate(const trace_config& x, std::string_view path);

/// Writes a trace to a store, on a thread of its own, so that nobody waits for
/// it. What the store cannot take is dropped and counted in an entry: a trace
/// tells what happened and keeps nothing from happening.
class kept_trace : public trace_sink {
public:
  /// `epoch` is unique to this run of the agent.
  kept_trace(std::shared_ptr<trace_store> in, std::string agent_id, uint64_t epoch,
    std::shared_ptr<const clock> clock, trace_config config);
  kept_trace(const kept_trace&) = delete;
  kept_trace& operator=(const kept_trace&) = delete;

  /// Writes what waits, up to the first time that the store does not take some.
  ~kept_trace() override;

  void write(trace_entry entry) override;
  bool mask_with(const std::shared_ptr<const pii_masker>& masker) override;

  /// Waits until what was written so far is in the store, or dropped; not longer than
  /// that.
  void flush(timespan within = std::chrono::minutes{1});

  /// A part of a turn's trace, with what was written so far unless the store is slow.
  /// Errors: as those of `trace_store::turn`.
  caf::expected<turn_trace> read_turn(const trace_order& which);

private:
  struct waiting_entry {
    trace_entry entry;
    size_t bytes; ///< of memory, about
  };

  void work();
  std::vector<trace_entry> take_some(size_t& bytes);
  bool write_down(std::vector<trace_entry> some, size_t bytes);
  trace_entry lost(uint64_t count) const;
  void forget_old();
  void forget_what_is_too_much(size_t written);

  std::shared_ptr<trace_store> store_;
  std::string agent_id_;
  uint64_t epoch_;
  std::shared_ptr<const clock> clock_;
  std::shared_ptr<const clock> ages_; ///< by which entries become old
  trace_config config_;
  timespan next_forgetting_{}; // on the writing thread only, as are the next two
  uint64_t not_told_ = 0;      // how many were dropped since that was told
  uint64_t not_looked_at_ = 0; // bytes of entries since it was asked how many bytes are stored

  std::mutex mutex_; // of all below
  std::condition_variable news_;
  std::condition_variable written_;
  std::shared_ptr<const pii_masker> masker_; // null: nothing is masked
  std::deque<waiting_entry> waiting_;
  uint64_t waiting_bytes_ = 0;
  uint64_t dropped_ = 0;  // for want of room, since the thread looked
  uint64_t taken_ = 0;    // entries that waited, ever
  uint64_t done_ = 0;     // of these: in the store, or dropped
  unsigned flushing_ = 0; // threads that wait for what is written
  bool is_ending_ = false;
  std::thread thread_; // last: it uses the others
};

} // namespace scratchpage
