#pragma once

#include <filesystem>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

struct sqlite_options {
  std::string vfs; ///< "": the system's own
  /// Whether a commit waits until it is on the disk. False: a machine that crashes
  /// takes the last ones; a process that does takes none.
  bool synced = true;
};

/// Connects to a database in one file, which is made if it is not there (WAL);
/// what is deleted is overwritten.
connector sqlite(std::filesystem::path file, sqlite_options options = {});

} // namespace scratchpage::sql
