#pragma once

#include <filesystem>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage import`.
struct import_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path file; ///< "-": the standard input
  bool json = false;
};

/// Puts an export into a data directory: all of it, or nothing.
exit_code run_import(const import_options& options, const command_environment& environment);

} // namespace scratchpage
