#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage::test {

/// What callers were told is kept: contents by id and revision.
using acknowledged = std::map<std::pair<std::string, uint64_t>, std::string>;

/// Notes what a caller was told of.
void note(const observation& x, acknowledged& to);

/// After a crash: recovers an agent whose journal was never cut short or forgotten
/// and tests that everything acknowledged is there, that sequences have no gap,
/// that no id was given twice and nothing a tool said is there twice, and that
/// what goals name as evidence is linked to them. Gives how much evidence that is.
size_t check_history(store& of, const ownership& by, const acknowledged& so_far);

} // namespace scratchpage::test
