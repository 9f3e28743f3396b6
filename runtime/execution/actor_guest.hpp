#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "scratchpage/runtime/execution/job_queue.hpp"

namespace scratchpage {

/// A thread that runs actors beside its own work: for those that it makes ready to run,
/// by asking them something, no other thread has to be woken. Lives on one thread, which
/// has one guest at a time, must not wait for what an actor does, and ends before the
/// systems whose actors it has run. It is of use in those of `use_few_threads`.
class actor_guest {
public:
  /// `on_ready` is called on this thread, by whatever makes an actor ready to run: `run`
  /// is to be called soon, but not from there. `may_block` tells whether this thread has
  /// nothing else to do now; a guest without it runs nothing that blocks.
  explicit actor_guest(std::function<void()> on_ready, std::function<bool()> may_block = {});
  actor_guest(const actor_guest&) = delete;
  actor_guest& operator=(const actor_guest&) = delete;
  ~actor_guest();

  /// What a guest may do before its thread has its turn again.
  struct visit {
    size_t most = 64;                        ///< actors that are run
    std::chrono::microseconds within{2'000}; ///< then no more is begun
  };

  /// Runs what is ready, as far as that; if there is more, `on_ready` is called. After a visit
  /// that took too long actors are run for a single message each.
  void run(visit how);
  void run() { run(visit{}); }

  /// For a queue to which this thread has added something: whether a guest is here, who
  /// will take it.
  static bool comes_by(job_queue& from, lane which);

private:
  using time_point = std::chrono::steady_clock::time_point;

  bool takes(lane which) const;
  job_queue::job take(job_queue& from, bool& is_blocking) const;
  bool run_some(job_queue& of, size_t most, time_point until, time_point& now) const;
  size_t messages_of(bool is_blocking) const;

  std::function<void()> on_ready_;
  std::function<bool()> may_block_;
  std::vector<job_queue*> waiting_; ///< for `run`; hardly ever more than one
  bool runs_ = false;
  bool was_long_ = false; ///< the last visit, longer than it may be
};

} // namespace scratchpage
