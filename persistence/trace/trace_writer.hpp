#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/container/deque.hpp>

#include <caf/error.hpp>

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

/// Writes the traces of all agents of a process to one store, on one thread, so that no component
/// waits for it and an agent costs neither a thread nor a connection. Entries that the store cannot
/// take are dropped, and another entry of the same agent has their number. May be used from any
/// thread.
class trace_writer {
public:
  /// Bytes of memory, about, of the entries of all agents that wait. Further ones are dropped.
  static constexpr uint64_t max_bytes_of_all = uint64_t{64} << 20;

  /// The trace of one run of an agent, as the writer sees it.
  class line;

  /// Throws std::system_error if there is no thread.
  explicit trace_writer(std::shared_ptr<trace_store> to);
  trace_writer(const trace_writer&) = delete;
  trace_writer& operator=(const trace_writer&) = delete;

  /// Writes the entries that wait, until the store fails once.
  ~trace_writer();

  /// Begins the trace of a run of an agent. `epoch` must be unique for this run.
  std::shared_ptr<line> begin(
    std::string agent_id, uint64_t epoch, std::shared_ptr<const clock> clock, trace_config config);

  void write(const std::shared_ptr<line>& to, trace_entry&& entry);

  /// Masks all entries of this run from now on, on the thread of the writer.
  void mask_with(line& of, const std::shared_ptr<const pii_masker>& masker);

  /// Waits until all entries of this run are in the store or dropped, but no longer than `within`.
  void flush(line& of, timespan within);

  trace_store& store() { return *store_; }

private:
  struct waiting_entry {
    std::shared_ptr<line> of;
    trace_entry entry;
    size_t bytes; ///< of memory, about
  };

  /// Taken from the front, and allocated many at a time.
  using waiting_entries = boost::container::deque<waiting_entry, void,
    boost::container::deque_options<boost::container::block_size<64>>::type>;

  /// The entries of one run that are written together.
  struct batch {
    std::shared_ptr<line> of;
    std::shared_ptr<const pii_masker> masker;
    std::vector<trace_entry> entries;
    size_t count = 0; ///< of those that waited; there may be one more, which counts dropped ones
    size_t bytes = 0;
  };

  void work();
  std::vector<batch> take_some();
  bool write_down(std::vector<batch>& some);
  void remove_old(line& of, size_t written);

  std::shared_ptr<trace_store> store_;
  std::mutex mutex_; // guards all members below, and the counts of all lines
  std::condition_variable news_;
  std::condition_variable written_;
  waiting_entries waiting_;
  uint64_t waiting_bytes_ = 0;
  unsigned flushing_ = 0; // threads that wait for what is written
  bool is_ending_ = false;
  std::thread thread_; // last, because it uses the other members
};

/// Counts and limits of one run of an agent.
class trace_writer::line {
private:
  friend class trace_writer;

  std::string agent_id_;
  uint64_t epoch_ = 0;
  std::shared_ptr<const clock> clock_;
  std::shared_ptr<const clock> ages_; ///< the clock for the age of entries
  trace_config config_;

  // Used by the writing thread only:
  timespan next_forgetting_{};
  uint64_t not_told_ = 0;      ///< dropped entries that no entry has counted yet
  uint64_t not_looked_at_ = 0; ///< bytes of entries since the stored bytes were last counted

  // Guarded by the writer:
  std::shared_ptr<const pii_masker> masker_; ///< null if nothing is masked
  uint64_t waiting_ = 0;
  uint64_t waiting_bytes_ = 0;
  uint64_t dropped_ = 0; ///< since the writing thread last read it
  uint64_t taken_ = 0;   ///< total of entries that waited
  uint64_t done_ = 0;    ///< of these: in the store, or dropped
};

} // namespace scratchpage
