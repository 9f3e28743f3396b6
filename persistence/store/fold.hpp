#pragma once

#include <cstdint>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Moves a snapshot on along the journal: by whole groups that end at `until` or
/// before, as long as there are fewer than `most` events, but at least by one
/// group. What comes and goes on the way is never written. Gives where the
/// snapshot is now; that is where it was if there is nothing to do. Errors:
/// those of the store, `internal` if the journal is damaged.
caf::expected<snapshot_head> fold(
  store& in, const ownership& by, snapshot_kind kind, uint64_t until, uint64_t most);

} // namespace scratchpage
