#pragma once

#include <chrono>
#include <utility>

#include <caf/action.hpp>
#include <caf/actor_clock.hpp>
#include <caf/config.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Runs `f` in the actor `self` after `delay`, unless nobody refers to it by then: whoever
/// looks around now and then would otherwise keep itself from its end, which comes when
/// nobody needs it.
template <class Self, class F>
void run_while_needed(Self* self, timespan delay, F f) {
#if CAF_MAJOR_VERSION >= 1
  self->run_delayed_weak(delay, std::move(f));
#else
  auto at =
    self->clock().now() + std::chrono::duration_cast<caf::actor_clock::duration_type>(delay);
  self->clock().schedule(at, caf::make_action(std::move(f), caf::action::state::waiting),
    caf::weak_actor_ptr{self->ctrl()});
#endif
}

} // namespace scratchpage
