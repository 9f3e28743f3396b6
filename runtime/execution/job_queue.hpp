#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/resumable.hpp>

#include "scratchpage/runtime/execution/slow_jobs.hpp"

namespace scratchpage {

/// Which threads may run an actor. Each lane has threads of its own, so that what is quick does
/// not wait for what is slow.
enum class lane : uint8_t {
  quick,    ///< any, also a guest's
  slow,     ///< it takes long (`slow_jobs`): a thread that gives way to others
  blocking, ///< it waits for a disk now and then: a thread that has nothing else to do
};

/// The actors of a system that are ready to run, for all who run them: workers, who wait
/// here for one lane each, and guests (`actor_guest`), who come by. May be used from any thread.
class job_queue {
public:
  using job = caf::resumable*;

  /// `longest_visit` of an actor: then others have their turn.
  explicit job_queue(
    caf::actor_system& system, std::chrono::nanoseconds longest_visit = slow_jobs::longest_visit);
  job_queue(const job_queue&) = delete;
  job_queue& operator=(const job_queue&) = delete;

  /// That of a system; null if `use_few_threads` did not prepare it.
  static job_queue* of(caf::actor_system& system);

  caf::actor_system& system() const { return system_; }

  /// From now on this actor is for the blocking lane. It lives as long as its system.
  void set_apart(job x);

  /// Whoever runs an actor tells how long that takes.
  slow_jobs& slow() { return slow_; }

  /// Wakes a worker of its lane, unless this thread is a guest's, who will come by and has
  /// nothing else to run.
  void add(job x);

  /// For workers: waits. Null if the lane has ended and is empty.
  job take(lane from);

  /// For guests: null if there is none. What is left there is a worker's.
  job try_take(lane from);

  /// Has workers look at what a guest leaves.
  void leave();

  /// Nobody waits for the lane any more.
  void end(lane x);

  /// Workers that wait.
  size_t idle(lane x) const;

private:
  struct jobs {
    std::deque<job> ready;
    std::condition_variable changed;
    size_t idle = 0;
    bool ends = false;
  };

  jobs& at(lane x) { return lanes_[static_cast<size_t>(x)]; }
  lane lane_of(job x) const;
  static job take_first(jobs& from);
  static void wake_if_idle(jobs& of);

  caf::actor_system& system_;
  mutable std::mutex guard_;
  std::array<jobs, 3> lanes_;
  std::vector<job> apart_; ///< few
  slow_jobs slow_;
};

/// Lets an actor have a visit on a thread: until it has nothing to do, has handled so many
/// messages, or the visit has become long. The result is that of its last message.
caf::resumable::resume_result resume(
  const slow_jobs& of, const slow_jobs::visit& x, caf::execution_unit* on, size_t most_messages);

/// Runs an actor that was taken, for one visit that begins now. What has more to do is added again.
/// Gives the time at which the visit has ended: whoever runs many looks at the clock once for each.
slow_jobs::time_point run_job(job_queue& of, job_queue::job x, size_t most_messages,
  slow_jobs::time_point now = std::chrono::steady_clock::now());

} // namespace scratchpage
