#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"

namespace scratchpage {

/// Syncs a complete file and then renames it within its directory, to a name that must be free.
/// Error: `storage_unavailable`, also if the name is taken; what has that name stays.
caf::error publish(const std::filesystem::path& file, const std::filesystem::path& name);

/// The path of a temporary database. The constructor and the destructor remove the database and
/// SQLite's files beside it, also those of an earlier process.
class temporary_database {
public:
  explicit temporary_database(std::filesystem::path path)
    : path_{std::move(path)} {
    remove();
  }
  temporary_database(const temporary_database&) = delete;
  temporary_database& operator=(const temporary_database&) = delete;
  ~temporary_database() { remove(); }

  const std::filesystem::path& path() const { return path_; }

private:
  void remove() const {
    std::error_code ignored;
    for (const auto* end : {"", "-wal", "-shm", "-journal", "-mark"})
      std::filesystem::remove(path_.string() + end, ignored);
  }

  std::filesystem::path path_;
};

/// A data directory whose database is being made under a temporary name. It gets its name when it
/// is complete. If that never happens, it is removed, and a new directory, too.
class new_database {
public:
  /// Opens the directory and makes it if it does not exist; other processes are then refused.
  /// Errors: `invalid_request` on `option` if it has a database or files of agents;
  /// `storage_unavailable`, which says why it cannot be used, or which process uses it.
  static caf::expected<new_database> open(
    const std::filesystem::path& directory, std::string_view option = "--data");

  new_database(new_database&&) noexcept;
  new_database& operator=(new_database&&) = delete;
  ~new_database();

  /// The temporary file of the database, to write to.
  std::filesystem::path file() const;

  /// Gives the database its name, and then writes the files of agents that it holds to their
  /// folders. The database must be closed, so that one file has all of it. Error:
  /// `storage_unavailable`; if a file cannot be written, the database exists all the same, and
  /// whoever opens it next writes the files.
  caf::error keep();

private:
  struct state;
  explicit new_database(std::unique_ptr<state> x);

  std::unique_ptr<state> state_;
};

/// `invalid_request` on `FILE` unless the name is free for a checkpoint.
caf::error check_is_free(const std::filesystem::path& file);

/// Checks the pages of a database that was copied, without changing it. Errors:
/// `storage_unavailable` if it is not the database of a store; `internal` if it is damaged.
caf::error check_copy(const std::filesystem::path& file);

/// Copies an SQLite database with all its commits to one new file, and checks the copy. `from` is
/// only read. The copy is of one state of the database, whatever is committed meanwhile, also by
/// this process. `go_on` is asked after each part, and may wait. Errors: `storage_unavailable`;
/// `internal` if the database is damaged; those of `go_on`.
caf::error copy_database(const std::filesystem::path& from, const std::filesystem::path& to,
  const progress& tell = {}, const may_go_on& go_on = {});

/// Makes a checkpoint in a file that is there already or is new: a copy of the database, with the
/// files of its agents as documents (`pack_files`). It is not synced. Errors: as above, and those
/// of `pack_files`.
caf::error copy_directory(const std::filesystem::path& database, const std::filesystem::path& files,
  const std::filesystem::path& to, const progress& tell = {}, const may_go_on& go_on = {});

/// As above, of a data directory. The copy gets its name when it is complete and on the disk.
/// Errors: `invalid_request` on `FILE` if the name is taken, on `size` if a file is too large.
caf::error write_checkpoint(
  const data_directory& from, const std::filesystem::path& file, const progress& tell = {});

/// Checks that a database is intact: its pages, its tables, and each row. A database of an older
/// version is migrated. Errors: `storage_unavailable` if it is not the database of a store or is of
/// a newer version; `internal`, which names the damage.
caf::error verify_database(const std::filesystem::path& file);

} // namespace scratchpage

/// Files of agents while a database is moved: they are documents of the store, so that they are
/// part of its transactions and of its file. In the new directory they become files again.

namespace scratchpage {

/// Called for a file that cannot be packed, or with the path "" if no file of an agent can be read.
/// If it returns no error, the file is skipped.
using file_failure = std::function<caf::error(
  const std::string& agent_id, const std::string& path, const caf::error& why)>;

/// Writes the files of all agents of `to` into it as documents. Each file is read as a whole, even
/// if it is replaced meanwhile; one file at a time is in memory. Returns the number of files.
/// Errors: those of the store, and the first error about a file, unless `failed` returns none.
caf::expected<uint64_t> pack_files(
  const std::filesystem::path& files, store& to, const file_failure& failed = {});

/// Writes the files that a store holds to the folders of a data directory, and removes them from
/// the store when they are on the disk. If it is interrupted, the next call does it again. Agents
/// that have such files are claimed. Errors: those of the store; `storage_unavailable` if a file
/// cannot be written.
caf::error unpack_files(sql_store& from, const std::filesystem::path& files);

/// As above, for the database of a directory that nobody else uses.
caf::error unpack_files_of(const data_directory& x);

} // namespace scratchpage
