#pragma once

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
  /// `waker` runs this clock's actions on its thread. It must not run any after this clock has
  /// ended.
  explicit sparing_clock(caf::actor_clock& waker)
    : waker_{waker} {}

  caf::disposable schedule_periodically(
    time_point first_run, caf::action f, duration_type period) override;

private:
  void run_due();
  std::optional<time_point> next_to_arm();
  void arm(std::optional<time_point> at);

  caf::actor_clock& waker_;
  std::mutex guard_; // of what follows
  delayed_actions waiting_;
  std::optional<time_point> armed_for_; ///< when the waker runs `run_due` next
};

} // namespace scratchpage

#endif
