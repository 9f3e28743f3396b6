#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/persistence/store/sql_connection.hpp"

struct sqlite3_file;
struct sqlite3_vfs;

namespace scratchpage::sql {

/// A file beside an SQLite database, which is read and written through the same VFS, so that a
/// simulated disk below SQLite covers this file, too. Its name is that of the database, "-" and an
/// ending, and it gets the mode of the database. Functions that fail throw `failure`.
class vfs_file {
public:
  /// Opens a file; null if it does not exist or is empty. `vfs` is the name of SQLite's VFS; "" is
  /// the default one.
  static std::unique_ptr<vfs_file> open(const std::filesystem::path& file, const std::string& vfs);
  /// Opens a file and makes it if it does not exist. Its name is durable after its first sync.
  static std::unique_ptr<vfs_file> make(const std::filesystem::path& file, const std::string& vfs);

  vfs_file(const vfs_file&) = delete;
  vfs_file& operator=(const vfs_file&) = delete;
  ~vfs_file();

  /// Reads at most `most` bytes from the beginning.
  std::string read(size_t most);
  /// Writes bytes at a position. False if not all of them could be written.
  bool write(std::string_view bytes, uint64_t at) noexcept;
  void resize(uint64_t size);
  void sync();

private:
  vfs_file(sqlite3_vfs& vfs, std::string name);
  void open(int flags);
  sqlite3_file* file() { return reinterpret_cast<sqlite3_file*>(memory_.data()); }
  void check(int code, const char* what) const;

  sqlite3_vfs& vfs_;
  std::string name_; // the VFS refers to it as long as the file is open
  std::vector<std::max_align_t> memory_;
};

} // namespace scratchpage::sql

namespace scratchpage {

/// The end of an agent's history, as far as it is committed.
struct committed_end {
  uint64_t agent = 0;         ///< key in the store
  uint64_t commits = 0;       ///< total; never decreases
  uint64_t last_sequence = 0; ///< of its journal
  std::string agent_id = {};  ///< cut after `commit_mark::max_name_bytes` bytes

  bool operator==(const committed_end&) const = default;
};

/// What is missing in a database of the commits of one agent.
struct missing_commits {
  committed_end wanted; ///< what was committed
  committed_end found;  ///< what the database has
};

/// A file beside an SQLite database, `NAME-mark`, that records up to which commit each agent's
/// history is durable. If a frame of SQLite's log is damaged, SQLite takes it for the end of the
/// log and silently drops the commits after it. The mark reveals that this has happened.
///
/// The mark is written after each commit and not synced, which costs one write to the system's
/// cache; so it never records more than the disk has. If the process is killed, the mark stays as
/// it is. After a power cut it may be older than the log, torn or empty, and then it records less.
/// Each agent has two slots that are written alternately. A slot is one sector with its own
/// checksum, so that a torn slot is noticed and ignored.
class commit_mark {
public:
  static constexpr size_t max_name_bytes = 400;  ///< of an agent's id; longer ones are cut
  static constexpr uint64_t max_agents = 65'536; ///< agents beyond it have no slot

  /// The mark of a database; nothing is read or written yet. `vfs` is as in `sqlite_options`.
  explicit commit_mark(const std::filesystem::path& database, std::string vfs = {});

  /// The ends that it records, by agent; damaged slots are left out. Throws `sql::failure`.
  std::vector<committed_end> read();

  /// Prepares the mark for writing. `known` has the ends of all agents of the database with their
  /// names; the mark then records exactly these. It is durable when this returns. Throws
  /// `sql::failure`.
  void begin(const std::vector<committed_end>& known);

  /// Records an end. Call it after the commit, and after `begin`. The name of an agent is needed
  /// the first time only. If the write fails, the mark records less.
  void note(const committed_end& x) noexcept;

  /// Checks that the mark exists if the database has commits. A missing mark is a `problem`.
  void expect(const std::vector<committed_end>& found);

  /// What is wrong with the mark, for people; "" if nothing is. Valid after `read` and `expect`.
  const std::string& problem() const { return problem_; }
  const std::filesystem::path& database() const { return database_; }

private:
  void put_slots(const std::vector<committed_end>& known);

  std::filesystem::path database_;
  std::filesystem::path path_;
  std::string vfs_;
  std::unique_ptr<sql::vfs_file> file_;
  std::map<uint64_t, std::string> names_; ///< ids of agents, by key
  std::string problem_;
  bool is_there_ = false;
};

/// The commits of `wanted` that `found`, which is in the order of the agents, does not have. Agents
/// are the same only if their names are.
std::vector<missing_commits> missing_in(
  const std::vector<committed_end>& found, const std::vector<committed_end>& wanted);

/// An error that says what is missing, of which agents, and what to do; no error if nothing is.
caf::error tell_missing(
  const std::filesystem::path& database, const std::vector<missing_commits>& missing);

/// The missing commits of one agent, for people: "the changes 3 to 7 (5 commits)".
std::string missing_text(const missing_commits& x);

/// Makes the mark of a new database that is in `file` and will be renamed to `database`. The mark
/// is empty, and it replaces an old mark of that name. Throws `sql::failure`.
void begin_mark(const std::filesystem::path& file, const std::filesystem::path& database);

} // namespace scratchpage

/// What has been committed to an SQL database. Only `sql_store` uses it; failures are exceptions.

namespace scratchpage::sql {

/// The end of the history of each agent that has a slot in a mark, in their order.
std::vector<committed_end> committed_ends(connection& db);

/// The last sequence of one agent.
uint64_t end_of(connection& db, uint64_t agent);

/// Checks that the database has all that its mark records. Error: `internal`, which says what is
/// missing; then the files are left as they are.
caf::error check_mark(connection& db, commit_mark& mark);

} // namespace scratchpage::sql
