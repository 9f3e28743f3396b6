#pragma once

#include <cstdint>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

/// The most results that one answer may hold (contract 3).
inline constexpr uint32_t max_query_limit = 1000;

/// No error if `limit` is one that a query may ask for.
inline caf::error check_limit(uint32_t limit) {
  if (limit >= 1 && limit <= max_query_limit)
    return {};
  return fail(errc::invalid_request, "limit", "expected 1 to 1000, got " + std::to_string(limit));
}

} // namespace scratchpage
