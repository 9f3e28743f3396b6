#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// The snapshots of an SQL database. For `sql_store` only: failures are exceptions.

namespace scratchpage::sql {

/// Error: `internal`, if it is not as it was written.
caf::expected<snapshot_head> find_snapshot(connection& db, uint64_t agent, snapshot_kind kind);

/// Some of the rows whose numbers are above `after`, in order.
std::vector<snapshot_row> read_some_snapshot(
  connection& db, uint64_t agent, snapshot_kind kind, int64_t after);

/// In a transaction.
void move_snapshot(connection& db, uint64_t agent, snapshot_kind kind, snapshot_head head,
  std::span<const snapshot_row> changed);

/// Gives the snapshots of a database whose form had no checksums of heads theirs.
void seal_snapshots(connection& db);

} // namespace scratchpage::sql
