#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/system_cache.hpp"

namespace scratchpage::sql {

struct sqlite_options {
  std::string vfs; ///< "": the system's own
  /// Where system_cache.hpp does not reach.
  std::function<void(const std::filesystem::path& file)> see_disk = scratchpage::see_disk;
};

/// Connects to a database in one file, which is made if it is not there. Every
/// commit is synced (WAL, synchronous=FULL); what is deleted is overwritten.
connector sqlite(std::filesystem::path file, sqlite_options options = {});

} // namespace scratchpage::sql
