#pragma once

#include <filesystem>
#include <memory>

#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/support/faulty_disk.hpp"

namespace scratchpage::test {

/// Connects to the database `store` on a disk, which must outlive what it makes.
inline sql::connector store_on(faulty_disk& disk) {
  auto see = [&disk](const std::filesystem::path& file) { disk.see(file.string()); };
  return sql::sqlite("store", {.vfs = disk.vfs(), .see_disk = see});
}

/// The mark beside it.
inline std::shared_ptr<commit_mark> mark_on(faulty_disk& disk) {
  return std::make_shared<commit_mark>("store", disk.vfs());
}

} // namespace scratchpage::test
