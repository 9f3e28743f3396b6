#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/kept_positions.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A page as its store has it.
struct recovered_page {
  uint64_t sequence = 0; ///< of the last change
  /// Of all observations so far, those included that somebody may have seen and
  /// that were lost: a number is never used again.
  uint64_t last_number = 0;
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp last_change;
  /// By number. What has expired meanwhile is there too: it ends on the page.
  std::vector<std::pair<uint64_t, observation_ptr>> observations;
  std::vector<page_event> latest; ///< changes up to `sequence`, for who was away
  std::vector<std::string> types; ///< that were registered, beyond the configured ones
  /// Where each epoch of the page began: after that sequence. What was seen
  /// beyond the beginning of the next one has been lost.
  std::map<uint64_t, uint64_t> epochs;
  std::vector<kept_position> positions; ///< of subscribers that have a name
  /// By id, whether it is open. Links to other goals are of goals that were never
  /// kept, and are undone.
  std::map<std::string, bool> goals;
  /// The journal's end was damaged: it is cut off after `sequence`. "": whole.
  std::string damage;
};

/// Reads the last snapshot and what follows, keeping at most `latest` changes.
/// From now on `unkept` changes may be seen before they are kept. A damaged end
/// is cut off, in the store too, and told; errors: those of the store, and
/// `internal`, which says where, if more than the end is damaged, or if what was
/// acknowledged is not there at all.
caf::expected<recovered_page> recover(
  store& from, const ownership& by, uint64_t latest, uint64_t unkept = 0);

} // namespace scratchpage
