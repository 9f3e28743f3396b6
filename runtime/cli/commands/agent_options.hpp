#pragma once

#include <filesystem>
#include <string>

namespace scratchpage {

/// Whose page a command works on, and how it answers.
struct agent_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::string agent = "agent";
  std::filesystem::path config;  ///< "": the built-in one
  std::string server;            ///< its URL, instead of a directory; "": none
  std::filesystem::path ca_file; ///< authorities for its certificate; "": the system's
  bool json = false;             ///< for programs
};

} // namespace scratchpage
