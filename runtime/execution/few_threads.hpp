#pragma once

#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"

namespace scratchpage {

/// Sets CAF's scheduler for a process that keeps durable pages and answers requests: one
/// queue for all workers, as many of these as there are cores beside the journal's own,
/// and guests, who bring requests in and run the actors themselves that answer them. A
/// request from outside then takes a fifth of the time that it takes with CAF's defaults,
/// whose idle workers sleep; those are better where actors mostly talk to each other
/// (docs/performance.md). Settings that were made before are overwritten.
void use_few_threads(caf::actor_system_config& cfg);

/// As `spawn`, for an actor that blocks whoever runs it now and then: on a thread of its
/// own, unless a guest has nothing else to do.
template <class S, class... Ts>
typename S::handle spawn_blocking(caf::actor_system& system, Ts&&... xs) {
#if CAF_MAJOR_VERSION < 1
  if (auto* queue = job_queue::of(system)) {
    // Lazy: nobody runs it before it is set apart.
    using impl = caf::stateful_actor<S, typename S::handle::impl>;
    auto result = system.spawn<impl, caf::lazy_init>(std::forward<Ts>(xs)...);
    queue->set_apart(caf::actor_cast<caf::scheduled_actor*>(result));
    return result;
  }
#endif
  return spawn_detached<S>(system, std::forward<Ts>(xs)...);
}

} // namespace scratchpage
