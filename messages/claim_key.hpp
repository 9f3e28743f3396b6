#pragma once

#include <cstdint>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// What no other claim of an agent has: 128 random bits. A database server that has taken
/// over from another one may give the epoch of a claim a second time; this it does not.
struct claim_key {
  uint64_t high = 0;
  uint64_t low = 0;

  bool operator==(const claim_key&) const = default;

  static constexpr auto fields(auto all) {
    return all(required("high", &claim_key::high), required("low", &claim_key::low));
  }
};

} // namespace scratchpage
