#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/compression.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// The tables of an SQL database: their schema, snapshots, documents and the archive. Only
/// `sql_store` uses them. Failures are exceptions. The caller of a function that writes has begun a
/// transaction.

namespace scratchpage::sql {

// -- schema -----------------------------------------------------------------------------

/// The version of the tables that this program writes.
int64_t schema_version();

/// Creates the tables of a store, which are the same for SQLite and PostgreSQL. A database of an
/// older version is migrated to `version` in one transaction. A database of a newer version than
/// this program's is refused. Throws `failure`.
void bring_up_to(connection& db, int64_t version = schema_version());

// -- snapshots --------------------------------------------------------------------------

/// The head of a snapshot. Error: `internal` if it is damaged.
caf::expected<snapshot_head> find_snapshot(connection& db, uint64_t agent, snapshot_kind kind);

/// Some of the rows with numbers above `after`, in order.
std::vector<snapshot_row> read_some_snapshot(
  connection& db, uint64_t agent, snapshot_kind kind, int64_t after);

/// As a store's `move_snapshot`.
void move_snapshot(connection& db, uint64_t agent, snapshot_kind kind, snapshot_head head,
  std::span<const snapshot_row> changed);

/// Writes the sums and the checksums of heads into a database of an older version.
void seal_snapshots(connection& db);

// -- documents --------------------------------------------------------------------------

/// Writes documents. Each replaces the document of the same name and its index terms; a document
/// without a body only removes it.
void put_documents(connection& db, uint64_t agent, std::span<const document> xs);

/// As a store's `sum_of_documents`.
uint64_t sum_of_documents(connection& db, uint64_t agent, const std::string& collection);

/// Writes the sums of collections into a database of an older version.
void seal_documents(connection& db);

/// The names of all documents of a collection, in order.
std::vector<std::string> document_names(
  connection& db, uint64_t agent, const std::string& collection);

/// One document; nothing if it does not exist.
std::optional<document> read_document(
  connection& db, uint64_t agent, const std::string& collection, const std::string& name);

/// Some of the documents with these names, from index `next` on, which moves after them. Empty if
/// there are no more.
std::vector<document> read_some_documents(connection& db, uint64_t agent,
  const std::string& collection, const std::vector<std::string>& names, size_t& next);

/// The place of a document in the order of a search, the latest first.
struct document_place {
  int64_t at = INT64_MAX;
  int64_t place = INT64_MAX;
  std::string name;
};

/// Finds the documents of a range one by one, so that only one body, which may be large, is in
/// memory.
class document_search {
public:
  /// The arguments must outlive this object.
  document_search(uint64_t agent, const std::string& collection, const document_range& range)
    : agent_{agent},
      collection_{collection},
      range_{range} {}

  /// The next document; nothing if there are no more.
  std::optional<document> next(connection& db);

private:
  bool find_places(connection& db);

  uint64_t agent_;
  const std::string& collection_;
  const document_range& range_;
  std::vector<document_place> places_;
  size_t next_ = 0;       ///< index into `places_`
  document_place before_; ///< further places are before this one
};

/// As `sql_store::agents_with`.
std::vector<std::string> agents_with(connection& db, const std::string& collection);

/// The collections of an agent, in order.
std::vector<std::string> collections_of(connection& db, uint64_t agent);

// -- archive ----------------------------------------------------------------------------

/// As a store's `add_archived`.
void add_archived(connection& db, uint64_t agent, std::span<const archive_row> xs);

/// As a store's `sum_of_archive`.
uint64_t sum_of_archive(connection& db, uint64_t agent);

/// Writes the sums of archives into a database of an older version.
void seal_archives(connection& db);

/// Reads bodies from packs and keeps the last pack, because consecutive rows are mostly in the same
/// one.
class unpacked_bodies {
public:
  explicit unpacked_bodies(uint64_t agent)
    : agent_{agent} {}

  /// Call it before each part that is read, because the pack may have changed meanwhile.
  void begin_part() { is_known_ = false; }

  /// The body of a row; "" if the pack is damaged, which the checksum of the row then reveals.
  std::string body(connection& db, uint64_t pack, uint64_t sequence);

private:
  uint64_t agent_;
  uint64_t pack_ = 0; ///< the last pack; 0 if there is none
  uint64_t checksum_ = 0;
  archive_bodies bodies_;
  bool is_known_ = false; ///< whether `bodies_` are as in the database
};

/// Some of the rows in the order of the range: below `edge`, or above it if the oldest come first.
/// Empty if there are no more. It unpacks each pack once.
std::vector<archive_row> read_some_archive(connection& db, uint64_t agent,
  const archive_range& range, uint64_t edge, unpacked_bodies& packed);

/// As a store's `pack_archive`.
uint64_t pack_archive(connection& db, uint64_t agent, timestamp left_before, uint64_t most);

/// Removes the rows of these sequences, and their bodies from the packs.
void remove_archived(connection& db, uint64_t agent, std::span<const uint64_t> sequences);

/// Removes the rows with sequences above `after`, and their bodies from the packs.
void cut_archive(connection& db, uint64_t agent, uint64_t after);

} // namespace scratchpage::sql
