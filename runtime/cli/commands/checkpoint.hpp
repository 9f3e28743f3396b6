#pragma once

#include <filesystem>
#include <string>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage checkpoint`.
struct checkpoint_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path file;
};

/// `scratchpage restore`.
struct restore_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path file;
  std::string until;           ///< a sequence or a time; "": all of it
  std::string agent = "agent"; ///< whose page goes back to then
};

/// Copies what a data directory holds into one file.
exit_code run_checkpoint(const checkpoint_options& options, const command_environment& environment);

/// Makes a data directory of such a file, in which one agent's page may be as it
/// was once.
exit_code run_restore(const restore_options& options, const command_environment& environment);

} // namespace scratchpage
