#pragma once

#include <cstddef>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// About how many bytes of memory the goal takes, in time with its observations, its evidence and
/// the members of its context.
size_t memory_of(const goal& x);

} // namespace scratchpage
