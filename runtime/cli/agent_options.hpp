#pragma once

#include <filesystem>
#include <string>

namespace scratchpage {

/// Whose page a command works on, and how it answers.
struct agent_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::string agent = "agent";
  std::filesystem::path config; ///< "": the built-in one
  bool json = false;            ///< for programs
};

} // namespace scratchpage
