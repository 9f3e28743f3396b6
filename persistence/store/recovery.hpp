#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

/// The state of a page after its changes, one after the other.
struct page_state {
  uint64_t sequence = 0;    ///< of the last change
  uint64_t last_number = 0; ///< of all observations so far
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp last_change;
  std::map<uint64_t, observation_ptr> observations; ///< by number

  /// Applies one change, which has an observation.
  void take(const page_event& x);
};

/// Reads the page of a snapshot; an empty page if there is no snapshot. Errors: those of the store,
/// `internal` if the snapshot is damaged.
caf::expected<page_state> read_page(store& from, uint64_t agent, snapshot_kind kind);

/// A page that was read from its store.
struct recovered_page {
  uint64_t sequence = 0; ///< of the last change
  /// The last number of all observations so far. It includes lost observations that somebody may
  /// have seen, because a number is never used again.
  uint64_t last_number = 0;
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp last_change;
  /// By number. Those that have expired meanwhile are included; the page then ends them.
  std::vector<std::pair<uint64_t, observation_ptr>> observations;
  std::vector<page_event> latest; ///< changes up to `sequence`, for subscribers that come back
  /// Changes before the latest ones whose requests have a key, in their order.
  std::vector<page_event> requests;
  std::vector<std::string> types; ///< types that were registered, beyond the configured ones
  /// Epochs of the page, and the sequence after which each began. Changes that were seen in an
  /// epoch after the sequence at which the next one began have been lost.
  std::map<uint64_t, uint64_t> epochs;
  std::vector<stored_position> positions; ///< of subscribers that have a name
  /// Goals by id, and whether each is open. Links to other goals belong to goals that were never
  /// stored, and are removed.
  std::map<std::string, bool> goals;
  /// What was damaged at the end of the journal, which was cut after `sequence`; "" if nothing was.
  std::string damage;
};

/// How a page goes on after a rest.
struct after_rest {
  uint64_t log_after = 0; ///< its log has the changes after this sequence
};

/// Recovers a page from its last snapshot and the journal after it, with at most `latest` changes
/// in `recovered_page::latest`, and among the last `latest` changes those with request keys. From
/// now on up to `unkept` changes may be seen before they are stored. A damaged end of the journal
/// is cut off, in the store, too, and reported in `recovered_page::damage`. Errors: those of the
/// store; `internal`, which says where, if more than the end is damaged or if acknowledged changes
/// are missing.
///
/// `goes_on`: the page was at rest and goes on in its epoch, so that no epoch begins. Then
/// `recovered_page::latest` has all changes after `log_after`, however many, also those that the
/// snapshot includes, as far as the journal still has them without a gap.
caf::expected<recovered_page> recover(store& from, const ownership& by, uint64_t latest,
  uint64_t unkept = 0, const std::optional<after_rest>& goes_on = {});

} // namespace scratchpage
