#pragma once

#include <string>

#include "scratchpage/messages/error.hpp"

/// The errors that all stores have in common.

namespace scratchpage {

inline caf::error not_the_owner(uint64_t epoch) {
  return fail(errc::conflict, "epoch",
    "expected the latest claim; somebody else has claimed the agent since epoch "
      + std::to_string(epoch));
}

inline caf::error not_the_next(uint64_t first, uint64_t last) {
  return fail(errc::internal, "sequence",
    "expected " + std::to_string(last + 1) + ", the one after what is kept, got "
      + std::to_string(first));
}

} // namespace scratchpage
