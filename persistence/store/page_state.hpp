#pragma once

#include <cstdint>
#include <map>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A page as its changes have made it, one after the other.
struct page_state {
  uint64_t sequence = 0;    ///< of the last change
  uint64_t last_number = 0; ///< of all observations so far
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp last_change;
  std::map<uint64_t, observation_ptr> observations; ///< by number

  /// Goes on by one change, which has an observation.
  void take(const page_event& x);
};

/// A page as a snapshot has it; an empty one if there is none. Errors: those of
/// the store, `internal` if the snapshot is damaged.
caf::expected<page_state> read_page(store& from, uint64_t agent, snapshot_kind kind);

} // namespace scratchpage
