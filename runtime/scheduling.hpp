#pragma once

#include <caf/actor_system_config.hpp>

namespace scratchpage {

/// Sets CAF's scheduler for a process that keeps durable pages and answers one
/// request at a time: one queue for all workers, and as many of these as there
/// are cores beside the journal's own. A request from outside then takes a
/// fifth of the time that it takes with CAF's defaults, whose idle workers
/// sleep; those are better where actors mostly talk to each other
/// (docs/performance.md). Settings that were made before are overwritten.
void use_few_threads(caf::actor_system_config& cfg);

} // namespace scratchpage
