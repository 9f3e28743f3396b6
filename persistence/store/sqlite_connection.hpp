#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scratchpage/persistence/files/system_cache.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

struct sqlite_options {
  std::string vfs; ///< "": the system's own
  /// Where system_cache.hpp does not reach.
  std::function<void(const std::filesystem::path& file)> see_disk = scratchpage::see_disk;
  /// Whether a commit waits until it is on the disk. False: a machine that crashes
  /// takes the last ones; a process that does takes none.
  bool synced = true;
};

/// Connects to a database in one file, which is made if it is not there (WAL), for its
/// owner alone; what is deleted is overwritten. What SQLite has beside it gets the same
/// mode. A file that is a link is refused.
connector sqlite(std::filesystem::path file, sqlite_options options = {});

/// Makes an empty database for its owner alone if there is none. Throws `failure` if the
/// file is a link.
void make_database_private(const std::filesystem::path& file);

} // namespace scratchpage::sql
