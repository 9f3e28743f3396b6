#pragma once

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
#include "scratchpage/persistence/store/archive_pack.hpp"
#include "scratchpage/persistence/store/kept_epoch.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/damaged_table.hpp"
#include "scratchpage/persistence/transfer/salvage.hpp"

namespace scratchpage {

/// The last event of an observation, as far as it is known.
struct last_event {
  uint64_t sequence = 0;
  std::string json; ///< "": the observation is not on the page
};

struct known_snapshot {
  std::optional<snapshot_head> head;
  std::map<uint64_t, last_event> rows; ///< by number
  std::vector<uint64_t> damaged;       ///< numbers
  uint64_t sum = 0;                    ///< of `rows` (row_sums.hpp)
  bool is_summed = false;              ///< whether the head has the sum of its rows

  /// Whether all of it is as it was written.
  bool is_whole() const { return head && damaged.empty() && (!is_summed || head->rows == sum); }
};

struct known_group {
  uint64_t last = 0; ///< sequence
  int64_t rowid = 0;
};

/// What was found of an agent.
struct known_agent {
  std::string agent_id;
  bool has_name = false;
  uint64_t last_sequence = 0;                     ///< that may have been given
  uint64_t commits = 0;                           ///< that are there
  uint64_t missing_commits = 0;                   ///< that the mark knows of
  std::map<uint64_t, known_group> journal;        ///< by first sequence
  std::map<uint64_t, std::string> damaged_groups; ///< why, by first sequence
  known_snapshot latest;
  known_snapshot oldest;
  std::map<uint64_t, uint64_t> archived; ///< sequences, by number
  std::vector<kept_epoch> epochs;
  uint64_t reserved = 0;                         ///< numbers of observations
  std::map<std::string, file_version> versions;  ///< of files, by path
  std::optional<uint64_t> archive_sum;           ///< as it was kept (row_sums.hpp)
  std::map<std::string, uint64_t> document_sums; ///< the same, by collection
};

/// What can be read of a store's SQLite database that is damaged: what fits its
/// checksum and its form. Throws SQLite::Exception where tables cannot be read at
/// all.
class damaged_store {
public:
  /// Looks through all of it, and adds to `lost` what is nobody's. Both have to
  /// outlive it. `marked`: what its mark claims.
  damaged_store(
    SQLite::Database& db, const std::vector<committed_end>& marked, std::vector<loss>& lost);

  /// By key.
  const std::map<uint64_t, known_agent>& agents() const { return agents_; }
  bool snapshots_are_readable() const { return snapshots_are_readable_; }
  /// Why some of the journal cannot be read; "": all of it can.
  const std::string& unreadable_journal() const { return unreadable_journal_; }

  /// Calls `f` with what is there of an agent, until it gives an error: changes
  /// after a sequence, in order, with their text; archived observations, the last
  /// first; documents but for epochs and versions of files. What is damaged goes into `lost`.
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
  archive_bodies bodies_; // of that
};

/// "7", "7 to 9".
std::string range_text(uint64_t first, uint64_t last);

inline constexpr auto rows_are_missing = "rows are missing, or are others than were written";
inline constexpr auto not_as_written = "it is not as it was written";

} // namespace scratchpage
