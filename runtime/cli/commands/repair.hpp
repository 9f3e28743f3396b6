#pragma once

#include <filesystem>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage repair`.
struct repair_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path into;
  bool json = false;
};

/// Saves what is whole of a damaged data directory into a new one, and tells what
/// is lost; `unmet` if there is any.
exit_code run_repair(const repair_options& options, const command_environment& environment);

} // namespace scratchpage
