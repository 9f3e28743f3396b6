#pragma once

#include <cstddef>

#include <caf/error.hpp>

#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// What a filter may hold, wherever it comes from.
struct filter_limits {
  static constexpr size_t values = 100;       ///< of each of type, status, source, owner and tags
  static constexpr size_t context_paths = 64; ///< that are compared
  static constexpr size_t text_bytes = 1'024; ///< of each value, path and scalar
};

/// `invalid_request` that names the member, as "owner" or "context.goal_id"; or no error.
caf::error check_filter(const observation_filter& x);

} // namespace scratchpage
