#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include <caf/fwd.hpp>

#include "scratchpage/messages/time.hpp"

/// Virtual time: the actors run on CAF's testing scheduler, on the thread that
/// drives them, and time passes only when the driver says so. Detached actors
/// have threads of their own and must not be used with it.

namespace scratchpage {

/// Makes systems built from `cfg` run on virtual time. Call it before the
/// system is made.
void use_virtual_time(caf::actor_system_config& cfg);

/// The default beginning of virtual time: 2025-11-05T10:00:00Z.
timestamp default_virtual_origin();

/// The time that the actors see. Only its driver changes it; the clock may outlive the driver.
class virtual_clock : public clock {
public:
  explicit virtual_clock(timestamp origin)
    : now_{origin.time_since_epoch()} {}

  timestamp now() const override { return timestamp{now_.load(std::memory_order_relaxed)}; }

private:
  friend class virtual_time_driver;

  void move_to(timestamp at) { now_.store(at.time_since_epoch(), std::memory_order_relaxed); }

  std::atomic<timespan> now_;
};

/// Runs the actors of one system, step by step and from deadline to deadline.
/// All calls come from one thread; the system must outlive the driver.
class virtual_time_driver {
public:
  /// @pre `sys` was made from a configuration that `use_virtual_time` prepared;
  /// anything else is a defect of the caller and throws std::logic_error.
  explicit virtual_time_driver(caf::actor_system& sys, timestamp origin = default_virtual_origin());
  ~virtual_time_driver();
  virtual_time_driver(const virtual_time_driver&) = delete;
  virtual_time_driver& operator=(const virtual_time_driver&) = delete;

  /// From now on a random sequence from `seed` chooses which of the ready actors runs next. By
  /// default they run in the order in which they became ready.
  void shuffle(uint64_t seed);

  /// Lets one actor handle one message; false if none is ready.
  bool step();

  /// Lets the actors run until none is ready, or for `max_steps`, without time passing. Gives the
  /// number of steps.
  size_t settle(size_t max_steps = std::numeric_limits<size_t>::max());

  /// The time of the earliest timer that was not cancelled; nothing if there is none.
  std::optional<timestamp> next_deadline();

  /// Settles, moves time to the next deadline and settles again. False if there is no deadline at
  /// or before `limit`; no time has passed then.
  bool advance_to_next_deadline(timestamp limit = timestamp::max());

  /// Moves time forward by `span`, and settles at every deadline on the way.
  void advance(timespan span);

  timestamp now() const { return clock_->now(); }

  std::shared_ptr<const scratchpage::clock> clock() const { return clock_; }

private:
  struct scheduler;

  void jump_to(timestamp at);

  std::unique_ptr<scheduler> scheduler_;
  std::shared_ptr<virtual_clock> clock_;
};

} // namespace scratchpage
