#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Writes the history of an agent that a store does not have yet, piece by piece:
/// first a snapshot and its rows if the journal begins with one, then changes,
/// what is archived and documents. Many pieces are a write of the store. To have
/// all of it or nothing, write into a store_transaction. Errors: the store's.
class history_writer {
public:
  /// `conflict` on `agent_id`, if the store has it. The store has to outlive it.
  static caf::expected<history_writer> begin(store& to, const std::string& agent_id);

  /// What the journal begins with; at most once, and before anything else.
  caf::error set_snapshot(const snapshot_head& head);
  caf::error add(snapshot_row x);
  /// The next change, and its text.
  caf::error add(const page_event& x, std::string_view json);
  caf::error add(archive_row x);
  caf::error add(document x);

  /// Writes what is left. Without it, some is missing.
  caf::error finish();

private:
  history_writer(store& to, const ownership& by)
    : to_{&to},
      by_{by} {}

  caf::error write_rows();
  caf::error write_group();
  caf::error write_archived();
  caf::error write_documents();

  store* to_;
  ownership by_;
  snapshot_head head_;
  std::vector<snapshot_row> rows_;
  journal_group group_; // of changes that are not written yet, if it has any
  uint64_t last_ = 0;   // sequence
  std::vector<archive_row> archived_;
  std::vector<document> documents_;
};

} // namespace scratchpage
