#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/files.hpp"
#include "scratchpage/persistence/store/compression.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/transfer/salvage.hpp"

namespace scratchpage {

/// Reads the rows of a table of which some cannot be read. It finds the rows around the damage by
/// reading smaller and smaller ranges of rowids. It uses no indexes, because they may be damaged,
/// too.
class damaged_table {
public:
  /// `columns` is SQL. In a row, column 0 is the rowid, and the first of `columns` is number 1.
  damaged_table(SQLite::Database& db, const std::string& table, const std::string& columns);

  /// Calls `f` with each row that can be read, in the order of the rowids.
  void read(const std::function<void(SQLite::Statement&)>& f);

  /// Ranges of rowids, first and last, that could not be read and may have had rows.
  const std::vector<std::pair<int64_t, int64_t>>& unreadable() const { return unreadable_; }
  /// The last error of SQLite; "" if there was none.
  const std::string& why() const { return why_; }

private:
  void read(int64_t first, int64_t last, const std::function<void(SQLite::Statement&)>& f);
  void note(int64_t first, int64_t last);

  SQLite::Database& db_;
  std::string select_;
  std::string last_;
  std::vector<std::pair<int64_t, int64_t>> unreadable_;
  std::string why_;
  size_t failures_ = 0;
};

/// The last event of an observation, as far as it is known.
struct last_event {
  uint64_t sequence = 0;
  std::string json; ///< "" if the observation is not on the page
};

struct known_snapshot {
  std::optional<snapshot_head> head;
  std::map<uint64_t, last_event> rows; ///< by number
  std::vector<uint64_t> damaged;       ///< numbers
  uint64_t sum = 0;                    ///< of `rows` (checksum.hpp)
  bool is_summed = false;              ///< whether the head has the sum of its rows

  /// Whether the snapshot is intact.
  bool is_whole() const { return head && damaged.empty() && (!is_summed || head->rows == sum); }
};

struct known_group {
  uint64_t last = 0; ///< sequence
  int64_t rowid = 0;
};

/// What was found about an agent.
struct known_agent {
  std::string agent_id;
  bool has_name = false;
  uint64_t last_sequence = 0;                     ///< the last that may have been used
  uint64_t commits = 0;                           ///< in the database
  uint64_t missing_commits = 0;                   ///< recorded in the mark only
  std::map<uint64_t, known_group> journal;        ///< by first sequence
  std::map<uint64_t, std::string> damaged_groups; ///< reasons, by first sequence
  known_snapshot latest;
  known_snapshot oldest;
  std::map<uint64_t, uint64_t> archived; ///< sequences, by number of the observation
  std::vector<stored_epoch> epochs;
  uint64_t reserved = 0;                         ///< the last reserved number of an observation
  std::map<std::string, file_version> versions;  ///< of files, by path
  std::optional<uint64_t> archive_sum;           ///< as it was stored (checksum.hpp)
  std::map<std::string, uint64_t> document_sums; ///< the same, by collection
};

/// Reads a damaged SQLite database of a store: everything that has a right checksum and form.
/// Throws SQLite::Exception if a table cannot be read at all.
class damaged_store {
public:
  /// Reads the whole database. Damage that belongs to no agent is added to `lost`. Both references
  /// must outlive this object. `marked` is what the mark of the database records.
  damaged_store(
    SQLite::Database& db, const std::vector<committed_end>& marked, std::vector<loss>& lost);

  /// The agents by key.
  const std::map<uint64_t, known_agent>& agents() const { return agents_; }
  bool snapshots_are_readable() const { return snapshots_are_readable_; }
  /// Why some of the journal cannot be read; "" if all of it can.
  const std::string& unreadable_journal() const { return unreadable_journal_; }

  /// Call `f` with the intact data of an agent until it returns an error: changes after a sequence,
  /// in order and with their text; archived observations, the last first; documents except epochs
  /// and versions of files. Damage is added to `lost`.
  caf::error each_change(const known_agent& x, uint64_t after,
    const std::function<caf::error(const page_event&, std::string_view)>& f);
  caf::error each_archived(uint64_t agent, const std::function<caf::error(archive_row&&)>& f);
  caf::error each_document(uint64_t agent, const std::function<caf::error(document&&)>& f);

private:
  using statement = SQLite::Statement;

  void find_agents(const std::vector<committed_end>& marked);
  bool has(const std::string& table, const std::string& columns) const;
  std::string agent_columns() const;
  void miss(const committed_end& wanted, std::set<std::string>& names);
  void find_journal();
  bool has_sums() const;
  void find_sums();
  void tell_missing_documents(const known_agent& x, const std::map<std::string, uint64_t>& found);
  void find_snapshots();
  void find_head(statement& row, bool is_sealed);
  void find_row(statement& row);
  void find_packs();
  const archive_bodies& bodies_of(uint64_t agent, uint64_t number);
  std::optional<archive_row> archived_in(statement& row);
  void find_archived();
  void find_reserved();
  void name_the_nameless();
  known_agent& of(statement& row, int column);
  known_snapshot* snapshot_of(statement& row);
  void lose(const std::string& agent_id, std::string what, std::string which, std::string why);
  void tell_unreadable(const damaged_table& table, const std::string& name);
  bool is_first(uint64_t agent) const;
  void lose_if_nobodys(
    uint64_t agent, statement& row, const std::string& what, const std::string& which);

  SQLite::Database& db_;
  std::vector<loss>& lost_;
  std::map<uint64_t, known_agent> agents_;
  known_agent nobody_;
  bool agents_are_known_ = false;
  bool snapshots_are_readable_ = true;
  std::string unreadable_journal_;
  std::string archive_columns_ = "agent, sequence, left_ms, body, checksum, pack, observation_id, "
                                 "type, status, source, owner, turn_id, created_ms";
  std::map<std::pair<uint64_t, uint64_t>, int64_t> packs_; // rowids, by agent and number
  std::pair<uint64_t, uint64_t> open_pack_;
  archive_bodies bodies_; // of `open_pack_`
};

/// "7", "7 to 9".
std::string range_text(uint64_t first, uint64_t last);

inline constexpr auto rows_are_missing = "rows are missing or were changed";
inline constexpr auto not_as_written = "it is damaged";

} // namespace scratchpage
