#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include <caf/expected.hpp>

namespace scratchpage {

/// A directory in which one process stores its data. Other processes are refused while this object
/// exists.
class data_directory {
public:
  /// Opens the directory, and makes it if it does not exist, accessible to its owner only. A
  /// directory that others may read is made private, with the files in it. One that others may
  /// change, or that belongs to another user, is refused, because its content may be theirs.
  /// Errors: `forbidden`, which says what to do; `storage_unavailable`, which names the process
  /// that uses the directory, or says why it cannot be used.
  static caf::expected<data_directory> open(const std::filesystem::path& path);

  /// As above; gives nothing if another process uses the directory.
  static caf::expected<std::optional<data_directory>> try_open(const std::filesystem::path& path);

  /// As above, for a directory that exists. Nothing is written in it.
  static caf::expected<data_directory> open_to_read(const std::filesystem::path& path);

  data_directory(data_directory&& other) noexcept
    : path_{std::move(other.path_)},
      lock_{std::exchange(other.lock_, -1)} {}
  data_directory& operator=(data_directory&&) = delete;
  ~data_directory();

  const std::filesystem::path& path() const { return path_; }

  /// The database in the directory.
  std::filesystem::path database() const { return database_in(path_); }

  /// The database in a directory that is not open.
  static std::filesystem::path database_in(const std::filesystem::path& directory) {
    return directory / "scratchpage.db";
  }

  /// The local socket in the directory, on which the process that uses it answers others.
  static std::filesystem::path socket_in(const std::filesystem::path& directory) {
    return directory / "socket";
  }

  /// The folder of the agents' files. Each agent has a folder in it, whose name is `file_name_for`
  /// its id.
  std::filesystem::path files() const { return files_in(path_); }

  /// The same folder of a directory that is not open.
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
  int lock_; // descriptor of the locked file; -1 after a move
};

/// The default data directory of a user: `$XDG_DATA_HOME/scratchpage`, else
/// `~/.local/share/scratchpage`.
std::filesystem::path default_data_directory();

} // namespace scratchpage
