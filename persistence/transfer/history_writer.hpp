#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Writes the history of an agent that a store does not have yet, piece by piece: first a snapshot
/// and its rows if the journal begins with one, then changes, archived rows and documents. Several
/// pieces are one write of the store. To write all or nothing, use a store_transaction. Errors:
/// those of the store.
class history_writer {
public:
  /// Claims the agent. Error: `conflict` on `agent_id` if the store has it already. The store must
  /// outlive this object.
  static caf::expected<history_writer> begin(store& to, const std::string& agent_id);

  /// Sets the snapshot with which the journal begins. Call it at most once, and before anything
  /// else.
  caf::error set_snapshot(const snapshot_head& head);
  caf::error add(snapshot_row x);
  /// Adds the next change and its JSON.
  caf::error add(const page_event& x, std::string_view json);
  caf::error add(archive_row x);
  caf::error add(document x);

  /// Writes the remaining pieces. Without it, some are missing.
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
  journal_group group_; // changes that are not written yet
  uint64_t last_ = 0;   // the last sequence that was written
  std::vector<archive_row> archived_;
  std::vector<document> documents_;
};

} // namespace scratchpage
