#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage {

/// Syncs a file and drops its pages from the system's cache, so that it is then read from the disk.
/// Otherwise a read may give what is only in the cache: after a failed sync Linux marks pages as
/// written although they are not, no later sync writes them, and they are read until the power
/// goes. The call does not harm others who have the file open. A file that does not exist is no
/// error. Throws std::filesystem::filesystem_error.
void drop_page_cache(const std::filesystem::path& file);

} // namespace scratchpage

namespace scratchpage::sql {

struct sqlite_options {
  std::string vfs; ///< the name of SQLite's VFS; "" is the default one
  /// A VFS with a cache of its own needs another function.
  std::function<void(const std::filesystem::path& file)> drop_page_cache =
    scratchpage::drop_page_cache;
  /// Whether a commit waits until it is on the disk. If not, a crash of the machine loses the last
  /// commits; a crash of the process loses none.
  bool synced = true;
};

/// Connects to a database in one file, in WAL mode. The file is made if it does not exist,
/// accessible to its owner only; SQLite's other files get the same mode. Deleted data is
/// overwritten. A file that is a link is refused.
connector sqlite(std::filesystem::path file, sqlite_options options = {});

/// Makes an empty database, accessible to its owner only, if there is none. Throws `failure` if the
/// file is a link.
void make_database_private(const std::filesystem::path& file);

} // namespace scratchpage::sql
