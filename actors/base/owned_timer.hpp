#pragma once

#include <utility>

#include <caf/disposable.hpp>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// A delayed action that is disposed of with its owner, the state of an actor. The system's clock
/// keeps an actor in memory for as long as it has an action of it, also when the actor has ended:
/// agents that rest and wake often would leave many such actors behind.
class owned_timer {
public:
  owned_timer() = default;
  owned_timer(const owned_timer&) = delete;
  owned_timer& operator=(const owned_timer&) = delete;
  ~owned_timer() { action_.dispose(); }

  /// Calls `f` in the actor `self` after `delay`, in place of what was started before.
  template <class Self, class F>
  void start(Self* self, timespan delay, F f) {
    action_.dispose();
    action_ = self->run_delayed(delay, std::move(f));
  }

private:
  caf::disposable action_;
};

} // namespace scratchpage
