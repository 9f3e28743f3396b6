#pragma once

#include <filesystem>

#include <caf/error.hpp>

#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/transfer/past_page.hpp"

namespace scratchpage {

/// Copies an SQLite database, with all that is committed, into one file that is
/// not there yet, and looks whether the copy is whole. `from` is read only.
/// Errors: `storage_unavailable`; `internal` if the database is damaged.
caf::error copy_database(
  const std::filesystem::path& from, const std::filesystem::path& to, const progress& tell = {});

/// As above, of a data directory's database, with the files of its agents as
/// documents (pack_files.hpp); the copy appears under its name when it is whole and
/// on the disk. Errors: `invalid_request` on `FILE`, if there is something of that
/// name, on `size`, if a file is too large.
caf::error write_checkpoint(
  const data_directory& from, const std::filesystem::path& file, const progress& tell = {});

/// Whether all that a database holds is as it was written: its pages, the form of
/// its tables, each row. It is brought up to date if it is of an older form.
/// Errors: `storage_unavailable`, if it is no database of a store, or of a newer
/// form; `internal` names what is damaged.
caf::error verify_database(const std::filesystem::path& file);

} // namespace scratchpage
