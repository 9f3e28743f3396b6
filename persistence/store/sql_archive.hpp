#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// The archive of an SQL database: a row for what a filter may ask, which holds
/// the body or says in which pack that is. For `sql_store` only: failures are
/// exceptions, and who calls has begun a transaction.

namespace scratchpage::sql {

void add_archived(connection& db, uint64_t agent, std::span<const archive_row> xs);

/// As a store's `sum_of_archive`.
uint64_t sum_of_archive(connection& db, uint64_t agent);

/// Sums the archives of a database whose form had no sums of them.
void seal_archives(connection& db);

/// Some of the rows below or, the oldest first, above `edge`, in the order that
/// the range asks for; none: there are no more. Unpacks each pack once.
std::vector<archive_row> read_some_archive(
  connection& db, uint64_t agent, const archive_range& range, uint64_t edge);

/// As a store's `pack_archive`.
uint64_t pack_archive(connection& db, uint64_t agent, timestamp left_before, uint64_t most);

/// Those of that sequence that are there, also in their packs.
void remove_archived(connection& db, uint64_t agent, std::span<const uint64_t> sequences);

/// Those beyond that sequence.
void cut_archive(connection& db, uint64_t agent, uint64_t after);

} // namespace scratchpage::sql
