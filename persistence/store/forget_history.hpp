#pragma once

#include <cstdint>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

enum class forgetting : uint8_t {
  done,   ///< all that is before the horizon is forgotten
  more,   ///< call again
  behind, ///< the latest snapshot has to be moved on first: recovery needs what follows it
};

/// Forgets some of the journal's groups that ended before `horizon`, after
/// moving the oldest snapshot on to where they end: the history begins there
/// then. Errors: those of the store, `internal` if the journal is damaged.
caf::expected<forgetting> forget_history(store& in, const ownership& by, timestamp horizon);

} // namespace scratchpage
