#pragma once

#include <filesystem>

#include "scratchpage/runtime/cli/command_line.hpp"

namespace scratchpage {

/// `scratchpage checkpoint` and `scratchpage restore`.
struct checkpoint_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path file;
};

/// Copies what a data directory holds into one file.
exit_code run_checkpoint(const checkpoint_options& options, const command_environment& environment);

/// Makes a data directory of such a file.
exit_code run_restore(const checkpoint_options& options, const command_environment& environment);

} // namespace scratchpage
