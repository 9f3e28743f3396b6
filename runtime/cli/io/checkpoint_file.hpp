#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/persistence/transfer/database_files.hpp"

namespace scratchpage {

/// A checkpoint that arrives in pieces. It is written to a temporary file beside its name, which
/// only its owner can read, and gets the name when it is complete and intact. Otherwise it is
/// removed. It replaces nothing.
class checkpoint_file {
public:
  /// Errors: `invalid_request` on `FILE` if the name is taken; `storage_unavailable`.
  caf::error open(const std::filesystem::path& file);

  caf::error write(std::string_view piece);

  /// Checks the pages of the database, syncs it and gives it its name. Errors:
  /// `storage_unavailable`; `internal` if it is damaged.
  caf::error keep();

private:
  std::filesystem::path file_;
  std::optional<temporary_database> part_;
  std::ofstream out_;
};

} // namespace scratchpage
