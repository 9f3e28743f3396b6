#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/persistence/store/vfs_file.hpp"

namespace scratchpage {

/// How far an agent's history has been committed.
struct committed_end {
  uint64_t agent = 0;         ///< key in the store
  uint64_t commits = 0;       ///< so far; only ever more
  uint64_t last_sequence = 0; ///< of its journal
  std::string agent_id = {};  ///< cut short after `commit_mark::most_name` bytes

  bool operator==(const committed_end&) const = default;
};

/// What a database lacks of what was committed to one agent.
struct missing_commits {
  committed_end wanted; ///< what was committed
  committed_end found;  ///< what is there
};

/// The mark beside an SQLite database, `NAME-mark`: up to which commit each agent's history
/// is durable. SQLite takes the first frame of its log that is damaged for the log's end, and
/// drops without a word what was committed after it; the mark tells that this has happened.
///
/// It is written after a commit and is not synced then, which costs a write to the system's
/// cache: it never claims more than the disk has. A process that is killed leaves it as it is.
/// After a power cut it may be older than the log, torn or empty, and claims less. Each agent
/// has two slots that take turns, each a sector with a checksum of its own, so that what is
/// torn is told and not believed.
class commit_mark {
public:
  static constexpr size_t most_name = 400;        ///< bytes of a name that are kept
  static constexpr uint64_t most_agents = 65'536; ///< beyond it none is marked

  /// Of a database; nothing is read or written yet. `vfs`: as in `sqlite_options`.
  explicit commit_mark(const std::filesystem::path& database, std::string vfs = {});

  /// What it claims, by agent; nothing of what is damaged. Throws `sql::failure`.
  std::vector<committed_end> read();

  /// From here on it is written. `known`: all agents of the database, with their names; what
  /// they have is what the mark claims, if it claimed less. Durable when it returns. Throws
  /// `sql::failure`.
  void begin(const std::vector<committed_end>& known);

  /// After the commit, and after `begin`. A name is needed the first time only. What cannot be
  /// written is left out: the mark claims less.
  void note(const committed_end& x) noexcept;

  /// That what the database has was committed with a mark, which is not there any more, is
  /// a problem, too.
  void expect(const std::vector<committed_end>& found);

  /// What is wrong with the mark, for people; "": nothing. After `read` and `expect`.
  const std::string& problem() const { return problem_; }
  const std::filesystem::path& database() const { return database_; }

private:
  std::filesystem::path database_;
  std::filesystem::path path_;
  std::string vfs_;
  std::unique_ptr<sql::vfs_file> file_;
  std::map<uint64_t, std::string> names_; ///< of agents
  std::string problem_;
  bool is_there_ = false;
};

/// What `found` lacks of `wanted`. An agent of another name is another one.
std::vector<missing_commits> missing_in(
  const std::vector<committed_end>& found, const std::vector<committed_end>& wanted);

/// Says what is missing, of whom, and what to do; no error if nothing is.
caf::error tell_missing(
  const std::filesystem::path& database, const std::vector<missing_commits>& missing);

/// What a database lacks of one agent, for people: "the changes 3 to 7 (5 commits)".
std::string missing_text(const missing_commits& x);

/// Makes the mark of a database that was just made as `file` and is about to be named
/// `database`; it claims nothing yet, and takes the place of one that was left there. Throws
/// `sql::failure`.
void begin_mark(const std::filesystem::path& file, const std::filesystem::path& database);

} // namespace scratchpage
