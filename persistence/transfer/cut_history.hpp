#pragma once

#include <cstdint>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/past_page.hpp"

namespace scratchpage {

/// What was cut off a history.
struct history_cut {
  uint64_t sequence = 0; ///< of the last change that is still there
  uint64_t changes = 0;  ///< that are gone
};

/// Takes an agent's page, journal and archive back to what they were then. Ids
/// that were given later are not given again. Documents stay as they are: of
/// goals, facts and episodes nobody knows what they were. Errors: those of
/// page_at. It is several writes, so do it where nobody looks.
caf::expected<history_cut> cut_history(store& in, const ownership& by, const moment& until);

} // namespace scratchpage
