#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include <caf/expected.hpp>

namespace scratchpage {

/// A directory in which one process keeps its data. Others are refused as long
/// as this object lives, or the process does.
class data_directory {
public:
  /// Makes the directory, for its owner alone, if it is not there. One that others may read
  /// is made private, with the files in it; one that others may change, or that is another
  /// user's, is refused: what is in it may be theirs. Errors: `forbidden`, which says what to
  /// do; `storage_unavailable`, which names the process that uses it already, or why it
  /// cannot be used.
  static caf::expected<data_directory> open(const std::filesystem::path& path);

  /// As above; nothing if another process uses it.
  static caf::expected<std::optional<data_directory>> try_open(const std::filesystem::path& path);

  /// As above, of a directory that is there and in which nothing is written.
  static caf::expected<data_directory> open_to_read(const std::filesystem::path& path);

  data_directory(data_directory&& other) noexcept
    : path_{std::move(other.path_)},
      lock_{std::exchange(other.lock_, -1)} {}
  data_directory& operator=(data_directory&&) = delete;
  ~data_directory();

  const std::filesystem::path& path() const { return path_; }

  /// The database in it.
  std::filesystem::path database() const { return database_in(path_); }

  /// The database in a directory that is not open.
  static std::filesystem::path database_in(const std::filesystem::path& directory) {
    return directory / "scratchpage.db";
  }

  /// The local socket in it, on which the process that uses it answers others.
  static std::filesystem::path socket_in(const std::filesystem::path& directory) {
    return directory / "socket";
  }

  /// The folder of the agents' files in it, each agent's under `file_name_for` its
  /// id.
  std::filesystem::path files() const { return files_in(path_); }

  /// The same of a directory that is not open.
  static std::filesystem::path files_in(const std::filesystem::path& directory) {
    return directory / "files";
  }

private:
  static caf::expected<data_directory> make(const std::filesystem::path& path);
  caf::error sign() const;

  data_directory(std::filesystem::path path, int lock)
    : path_{std::move(path)},
      lock_{lock} {}

  std::filesystem::path path_;
  int lock_; // descriptor of the locked file; -1 once moved from
};

/// Where a user's data lies unless told otherwise: `$XDG_DATA_HOME/scratchpage`,
/// else `~/.local/share/scratchpage`.
std::filesystem::path default_data_directory();

} // namespace scratchpage
