#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include <caf/config.hpp>

#if CAF_MAJOR_VERSION < 1

#include <caf/scheduler/coordinator.hpp> // has the class that CAF uses as its clock

#include "scratchpage/runtime/execution/delayed_actions.hpp"

namespace scratchpage {

/// The clock of an actor system whose thread is woken only for what is due. CAF's own clock wakes
/// its thread for each timeout that is set, and each request sets one: in a turn of the daemons,
/// that cost as much as a fifth of the work. Thread-safe.
class sparing_clock final : public caf::detail::thread_safe_actor_clock {
public:
  /// Actions that are repeated are rare: `repeating` runs them. It outlives this clock.
  explicit sparing_clock(caf::actor_clock& repeating)
    : repeating_{repeating} {}

  caf::disposable schedule_periodically(
    time_point first_run, caf::action f, duration_type period) override;

  /// Runs actions when they are due, until `stop`. For the thread of the clock.
  void run();

  /// Ends `run`. What is scheduled later never runs.
  void stop();

  /// How often the thread was woken because an action came before all others, for tests.
  uint64_t wakes() const;

private:
  caf::actor_clock& repeating_;
  mutable std::mutex guard_; // of what follows
  std::condition_variable changed_;
  delayed_actions waiting_;
  std::optional<time_point> sleeps_until_; ///< of the thread, if it waits for an action
  bool ends_ = false;
  uint64_t wakes_ = 0;
};

} // namespace scratchpage

#endif
