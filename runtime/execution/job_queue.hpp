#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/config.hpp>
#include <caf/resumable.hpp>

#if CAF_MAJOR_VERSION >= 1
#include <caf/scheduler.hpp>
#else
#include <caf/execution_unit.hpp>
#endif

#include "scratchpage/messages/compat.hpp"

/// How actors get a thread. All actors that are ready wait in one queue, in three lanes: quick
/// ones, slow ones, and those that block. Threads that bring requests in run actors themselves.

namespace scratchpage {

/// Sets CAF's scheduler for a process that keeps durable pages and answers requests: one queue for
/// all workers, as many workers as there are cores, and threads with an
/// `inline_executor`, which bring requests in and run the actors that answer them. A request from
/// outside then takes a fifth of the time that it takes with CAF's defaults, whose idle workers
/// sleep. CAF's defaults are better where actors mostly talk to each other (docs/performance.md).
/// Overwrites settings that were made before. With CAF 1.x, CAF's own policy `sharing` is used.
void use_shared_queue(caf::actor_system_config& cfg);

/// Finds the actors that need much processor time whenever they run. An actor whose visit took long
/// is watched: its thread may only have waited for a processor, so the processor time of its next
/// visit is measured. If that is long, too, the actor is slow until `quick_visits` visits in a row
/// were quick. May be used from any thread.
class slow_jobs {
public:
  using job = caf::resumable*;
  using time_point = std::chrono::steady_clock::time_point;

  /// Visits that take longer are long. The constructor takes another value.
  static constexpr std::chrono::milliseconds longest_visit{2};
  /// A slow actor becomes quick after this number of quick visits in a row.
  static constexpr uint32_t quick_visits = 8;

  explicit slow_jobs(std::chrono::nanoseconds longest = longest_visit)
    : longest_{longest} {}

  /// One run of an actor, on one thread.
  struct visit {
    job of;
    time_point begun;
    std::optional<std::chrono::nanoseconds> of_thread{}; ///< processor time when it began
  };

  /// Begins a visit of the actor now.
  visit begin(job x, time_point now = std::chrono::steady_clock::now()) const;

  /// Whether the visit has become long, so that other actors should run.
  bool is_long(const visit& x, time_point now = std::chrono::steady_clock::now()) const {
    return now - x.begun > longest_;
  }

  /// Ends a visit; call it before the actor can run again. Returns the time of the end.
  time_point end(const visit& x);

  /// The actor has ended.
  void forget(job x);

  bool is_slow(job x) const;

private:
  /// 0: the actor is watched; else how many quick visits it needs until it is quick again.
  using quick_left = uint32_t;

  bool is_watched(job x) const;
  void note(job x, bool was_long);

  std::chrono::nanoseconds longest_;
  mutable std::mutex guard_;
  std::unordered_map<job, quick_left> watched_;
  std::atomic<bool> are_some_watched_{false}; ///< `watched_` is not empty
};

/// The kind of threads that may run an actor. Each lane has threads of its own, so that quick
/// actors do not wait for slow ones.
enum class lane : uint8_t {
  quick,    ///< any thread, also one with an `inline_executor`
  slow,     ///< actors that take long (`slow_jobs`), on threads of low priority
  blocking, ///< actors that wait for a disk now and then, on a thread with nothing else to do
};

/// The actors of a system that are ready to run. Workers wait here for one lane each;
/// an `inline_executor` takes actors without waiting. May be used from any thread.
class job_queue {
public:
  using job = caf::resumable*;

  /// A visit of an actor ends after `longest_visit`, so that others run.
  explicit job_queue(
    caf::actor_system& system, std::chrono::nanoseconds longest_visit = slow_jobs::longest_visit);
  job_queue(const job_queue&) = delete;
  job_queue& operator=(const job_queue&) = delete;

  /// The queue of a system; null if `use_shared_queue` did not prepare the system.
  static job_queue* of(caf::actor_system& system);

  caf::actor_system& system() const { return system_; }

  /// Puts an actor into the blocking lane for good. It has to live as long as its system.
  void set_apart(job x);

  /// Every thread that runs an actor reports here how long that takes.
  slow_jobs& slow() { return slow_; }

  /// Tells how many workers take actors of a lane. Those that run an actor come back for the next
  /// one, so that no other worker is woken for it. To wake one takes longer than most visits.
  void expect_workers(lane of, size_t count);

  /// Adds an actor. Wakes a worker of its lane if more actors are ready than there are threads that
  /// will come for one: the workers that run now, and this thread, if it has an `inline_executor`
  /// that takes the lane.
  void add(job x);

  /// For workers: waits for an actor. Null if the lane has ended and is empty.
  job take(lane from);

  /// For an `inline_executor`: null if there is no actor. If more are left, wakes an idle worker.
  job try_take(lane from);

  /// For an `inline_executor` that takes no more: wakes idle workers of lanes that have actors.
  void leave();

  /// Ends the lane: workers do not wait for it any more.
  void end(lane x);

  /// The number of workers that wait for the lane.
  size_t idle(lane x) const;

private:
  struct jobs {
    std::deque<job> ready;
    std::condition_variable changed;
    size_t workers = 0;
    size_t idle = 0;
    bool ends = false;

    size_t busy() const { return workers > idle ? workers - idle : 0; }
    bool needs_idle_one(size_t others) const { return idle > 0 && ready.size() > busy() + others; }
  };

  jobs& at(lane x) { return lanes_[static_cast<size_t>(x)]; }
  lane lane_of(job x) const;
  static job take_first(jobs& from);
  static void wake_if_idle(jobs& of);

  caf::actor_system& system_;
  mutable std::mutex guard_;
  std::array<jobs, 3> lanes_;
  std::vector<job> apart_; ///< actors of the blocking lane; few
  slow_jobs slow_;
};

/// What an actor that runs adds other actors to.
#if CAF_MAJOR_VERSION >= 1
using running_on = caf::scheduler;
#else
using running_on = caf::execution_unit;
#endif

/// Runs an actor for one visit: until it has nothing to do, has handled `max_messages`, or the
/// visit has become long. The result is that of its last message.
caf::resumable::resume_result resume(
  const slow_jobs& of, const slow_jobs::visit& x, running_on* on, size_t max_messages);

/// Runs an actor that was taken from the queue for one visit that begins now. Adds it again if it
/// has more to do. Returns the time at which the visit has ended, so that a thread that runs many
/// actors reads the clock once for each of them.
slow_jobs::time_point run_job(job_queue& of, job_queue::job x, size_t max_messages,
  slow_jobs::time_point now = std::chrono::steady_clock::now());

/// Runs actors on a thread that has other work, too. An actor that this thread makes ready, by
/// sending it a request, runs here, so that no other thread has to be woken. The object lives on
/// its thread, one per thread, and ends before the systems whose actors it has run. The thread must
/// not wait for what an actor does. Only of use with `use_shared_queue`.
class inline_executor {
public:
  /// `on_ready` is called on this thread when an actor becomes ready. The thread has to call `run`
  /// soon, but not from within `on_ready`. `may_block` tells whether this thread has nothing else
  /// to do now; without it, actors that block are not run here.
  explicit inline_executor(std::function<void()> on_ready, std::function<bool()> may_block = {});
  inline_executor(const inline_executor&) = delete;
  inline_executor& operator=(const inline_executor&) = delete;
  ~inline_executor();

  /// The limits of one call of `run`.
  struct visit {
    size_t most = 64;                        ///< actors
    std::chrono::microseconds within{2'000}; ///< after that no other actor is begun
  };

  /// Runs the actors that are ready, within these limits, and calls `on_ready` if more are left.
  /// After a call that exceeded its time, the next one runs each actor for a single message.
  void run(visit how);
  void run() { run(visit{}); }

  /// For a queue to which this thread has added an actor: whether this thread has an
  /// `inline_executor` that will take it.
  static bool claim(job_queue& from, lane which);

private:
  using time_point = std::chrono::steady_clock::time_point;

  bool takes(lane which) const;
  job_queue::job take(job_queue& from, bool& is_blocking) const;
  bool run_some(job_queue& of, size_t most, time_point until, time_point& now) const;
  size_t messages_of(bool is_blocking) const;

  std::function<void()> on_ready_;
  std::function<bool()> may_block_;
  std::vector<job_queue*> waiting_; ///< queues with actors for `run`; rarely more than one
  bool runs_ = false;
  bool was_long_ = false; ///< the last `run` exceeded its time
};

/// As `spawn`, for an actor that blocks its thread now and then. It has a thread of its own, and
/// also runs on an `inline_executor` that has nothing else to do.
template <class S, class... Ts>
typename S::handle spawn_blocking(caf::actor_system& system, Ts&&... xs) {
#if CAF_MAJOR_VERSION < 1
  if (auto* queue = job_queue::of(system)) {
    // Lazy, so that the actor does not run before it is in the blocking lane.
    using impl = caf::stateful_actor<S, typename S::handle::impl>;
    auto result = system.spawn<impl, caf::lazy_init>(std::forward<Ts>(xs)...);
    queue->set_apart(caf::actor_cast<caf::scheduled_actor*>(result));
    return result;
  }
#endif
  return spawn_detached<S>(system, std::forward<Ts>(xs)...);
}

} // namespace scratchpage
