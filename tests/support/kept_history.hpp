#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage::test {

/// Changes that were acknowledged to callers: contents by id and revision.
using acknowledged = std::map<std::pair<std::string, uint64_t>, std::string>;

/// Notes an observation that was acknowledged to a caller.
void note(const observation& x, acknowledged& to);

/// Recovers an agent after a crash. Its journal must be complete: never truncated at either end.
/// Tests that everything acknowledged is there, that sequences have no gap, that no id was given
/// twice, that no content of a tool is there twice, and that the observations which goals name
/// as evidence are linked to them. Returns the number of these observations.
size_t check_history(store& of, const ownership& by, const acknowledged& so_far);

} // namespace scratchpage::test
