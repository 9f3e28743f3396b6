#pragma once

#include <cstddef>

#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// About how many bytes of memory the observation takes, in time with its tags and the members
/// of its context and metadata. It makes no text: it is on the path of every addition.
size_t memory_of(const observation& x);

} // namespace scratchpage
