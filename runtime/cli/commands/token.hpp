#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage token`: who is let in by a server. What its commands share.
struct token_options {
  std::filesystem::path data;   ///< "": default_data_directory()
  std::filesystem::path tokens; ///< "": the data directory's
  bool json = false;            ///< for programs
};

struct token_add_options {
  token_options in;
  std::string name;
  std::vector<std::string> agents; ///< empty: all
  std::string role = "daemon";
  bool person = false;
  bool read_only = false;
  std::string expires; ///< a time, or a span such as 30d; "": never
};

struct token_revoke_options {
  token_options in;
  std::string id;
};

exit_code run_token_add(const token_add_options& options, const command_environment& environment);
exit_code run_token_list(const token_options& options, const command_environment& environment);
exit_code run_token_revoke(
  const token_revoke_options& options, const command_environment& environment);

} // namespace scratchpage
