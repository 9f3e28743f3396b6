#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scratchpage/persistence/store/archive_pack.hpp"
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

/// The bodies of the pack that who reads an archive came to last: rows that follow each other
/// are mostly in the same one.
class unpacked_bodies {
public:
  explicit unpacked_bodies(uint64_t agent)
    : agent_{agent} {}

  /// The pack may have changed since the last part was read.
  void begin_part() { is_known_ = false; }

  /// "" if the pack is damaged: the row's checksum will tell.
  std::string body(connection& db, uint64_t pack, uint64_t sequence);

private:
  uint64_t agent_;
  uint64_t pack_ = 0; ///< 0: none
  uint64_t checksum_ = 0;
  archive_bodies bodies_;
  bool is_known_ = false; ///< to be as they are in the database
};

/// Some of the rows below or, the oldest first, above `edge`, in the order that
/// the range asks for; none: there are no more. Unpacks each pack once.
std::vector<archive_row> read_some_archive(connection& db, uint64_t agent,
  const archive_range& range, uint64_t edge, unpacked_bodies& packed);

/// As a store's `pack_archive`.
uint64_t pack_archive(connection& db, uint64_t agent, timestamp left_before, uint64_t most);

/// Those of that sequence that are there, also in their packs.
void remove_archived(connection& db, uint64_t agent, std::span<const uint64_t> sequences);

/// Those beyond that sequence.
void cut_archive(connection& db, uint64_t agent, uint64_t after);

} // namespace scratchpage::sql
