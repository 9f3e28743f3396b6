#pragma once

#include <cstdint>

#include <caf/error.hpp>

#include "scratchpage/persistence/store/store.hpp"

/// Whether a journal goes as far as what was acknowledged. A row that is missing at its end
/// leaves no gap: only the agent's row tells of it.

namespace scratchpage {

/// For the owner: the journal has to end at `acknowledged`, which was the end before it was
/// read, with `last`. Errors: those of the store; `conflict`, if somebody else has claimed the
/// agent since; `internal`, which says what is missing.
caf::error check_end(store& in, const ownership& by, uint64_t last, uint64_t acknowledged);

/// For whoever only reads, maybe while others write: the journal has to reach `acknowledged`,
/// which was the end before it was read, unless the owner has cut it since. Errors: those of
/// the store; `internal`, which says what is missing.
caf::error check_reach(store& in, uint64_t agent, uint64_t last, uint64_t acknowledged);

} // namespace scratchpage
