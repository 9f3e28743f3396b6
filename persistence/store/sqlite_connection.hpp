#pragma once

#include <filesystem>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

struct sqlite_options {
  std::string vfs; ///< "": the system's own
};

/// Connects to a database in one file, which is made if it is not there. Every
/// commit is synced (WAL, synchronous=FULL); what is deleted is overwritten.
connector sqlite(std::filesystem::path file, sqlite_options options = {});

} // namespace scratchpage::sql
