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
  bool keep = true; ///< whether the trace is stored in the agent's storage
  double days = 7;  ///< for how long entries are stored; in [0, 36500]
  /// Compressed bytes in the agent's storage; beyond it the oldest entries are removed. At least
  /// 1 MiB.
  uint64_t max_bytes = uint64_t{1} << 30;
  uint64_t max_waiting = 50'000; ///< entries that wait; further ones are dropped and counted
  uint64_t max_waiting_bytes = uint64_t{32} << 20; ///< about, of their memory; likewise

  static constexpr auto fields(auto all) {
    using self = trace_config;
    return all(optional("keep", &self::keep), optional("days", &self::days),
      optional("max_bytes", &self::max_bytes), optional("max_waiting", &self::max_waiting),
      optional("max_waiting_bytes", &self::max_waiting_bytes));
  }
};

caf::error validate(const trace_config& x, std::string_view path);

/// Writes a trace to a store, on its own thread, so that no component waits for it. Entries that
/// the store cannot take are dropped, and another entry has their number.
class stored_trace : public trace_sink {
public:
  /// `epoch` must be unique for this run of the agent.
  stored_trace(std::shared_ptr<trace_store> in, std::string agent_id, uint64_t epoch,
    std::shared_ptr<const clock> clock, trace_config config);
  stored_trace(const stored_trace&) = delete;
  stored_trace& operator=(const stored_trace&) = delete;

  /// Writes the entries that wait, until the store fails once.
  ~stored_trace() override;

  void write(trace_entry entry) override;
  bool mask_with(const std::shared_ptr<const pii_masker>& masker) override;

  /// Waits until all entries so far are in the store or dropped, but no longer than `within`.
  void flush(timespan within = std::chrono::minutes{1});

  /// Reads a part of the trace of a turn, with the entries so far unless the store is slow. Errors:
  /// as `trace_store::turn`.
  caf::expected<turn_trace> read_turn(const trace_query& which);

  /// The same for the turns that ended last, and for the last entries, of which about `most_bytes`
  /// are given, or one. Errors: `invalid_request` on `limit`; as `trace_store`.
  caf::expected<traced_turn_list> read_turns(const traced_turns_query& which);
  caf::expected<latest_entries> read_latest(const latest_entries_query& which);
  static constexpr size_t most_bytes = size_t{4} << 20;

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
  std::shared_ptr<const clock> ages_; ///< the clock for the age of entries
  trace_config config_;
  timespan next_forgetting_{}; // used by the writing thread only, as are the next two
  uint64_t not_told_ = 0;      // dropped entries that no entry has counted yet
  uint64_t not_looked_at_ = 0; // bytes of entries since the stored bytes were last counted

  std::mutex mutex_; // guards all members below
  std::condition_variable news_;
  std::condition_variable written_;
  std::shared_ptr<const pii_masker> masker_; // null if nothing is masked
  std::deque<waiting_entry> waiting_;
  uint64_t waiting_bytes_ = 0;
  uint64_t dropped_ = 0;  // since the writing thread last read it
  uint64_t taken_ = 0;    // total of entries that waited
  uint64_t done_ = 0;     // of these: in the store, or dropped
  unsigned flushing_ = 0; // threads that wait for what is written
  bool is_ending_ = false;
  std::thread thread_; // last, because it uses the other members
};

} // namespace scratchpage
