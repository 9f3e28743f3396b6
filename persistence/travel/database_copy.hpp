#pragma once

#include <filesystem>

#include <caf/error.hpp>

#include "scratchpage/persistence/travel/past_page.hpp"

namespace scratchpage {

/// Copies an SQLite database, with all that is committed, into one file that is
/// not there yet, and looks whether the copy is whole. `from` is read only.
/// Errors: `storage_unavailable`; `internal` if the database is damaged.
caf::error copy_database(
  const std::filesystem::path& from, const std::filesystem::path& to, const progress& tell = {});

/// As above; the copy appears under its name when it is whole and on the disk.
/// Error `invalid_request` on `FILE`, if there is something of that name.
caf::error write_checkpoint(const std::filesystem::path& database,
  const std::filesystem::path& file, const progress& tell = {});

/// Whether all that a database holds is as it was written: its pages, the form of
/// its tables, each row. It is brought up to date if it is of an older form.
/// Errors: `storage_unavailable`, if it is no database of a store, or of a newer
/// form; `internal` names what is damaged.
caf::error verify_database(const std::filesystem::path& file);

} // namespace scratchpage
