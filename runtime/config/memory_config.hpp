#pragma once

#include <cstdint>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// How much memory a host of agents may take.
struct memory_config {
  /// Resident bytes of the process, beyond which nothing is taken that needs more. 0: half of
  /// what the system lets it have, and no more than 4 GiB.
  uint64_t max_bytes = 0;

  static constexpr auto fields(auto all) {
    return all(optional("max_bytes", &memory_config::max_bytes));
  }
};

} // namespace scratchpage
