#pragma once

#include <filesystem>
#include <memory>

#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/support/faulty_disk.hpp"

namespace scratchpage::test {

/// Connects to the database `store` on a disk. The disk must outlive the connector and its
/// connections.
inline sql::connector store_on(faulty_disk& disk) {
  auto see = [&disk](const std::filesystem::path& file) { disk.see(file.string()); };
  return sql::sqlite("store", {.vfs = disk.vfs(), .drop_page_cache = see});
}

/// The commit mark of the database `store`.
inline std::shared_ptr<commit_mark> mark_on(faulty_disk& disk) {
  return std::make_shared<commit_mark>("store", disk.vfs());
}

} // namespace scratchpage::test
