#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options that all commands of `scratchpage token` share.
struct token_options {
  std::filesystem::path data;   ///< "": default_data_directory()
  std::filesystem::path tokens; ///< "": the data directory's
  bool json = false;            ///< answer in JSON
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

namespace CLI {

class App;

} // namespace CLI

namespace scratchpage {

/// Defines the commands of `scratchpage token`, for CLI11.
class token_commands {
public:
  explicit token_commands(CLI::App& app);
  token_commands(const token_commands&) = delete;
  token_commands& operator=(const token_commands&) = delete;

  /// Whether one of them was parsed.
  bool parsed() const { return static_cast<bool>(chosen_); }

  /// Runs the command that was parsed.
  exit_code run(const command_environment& environment) const { return chosen_(environment); }

private:
  token_add_options add_;
  token_options list_;
  token_revoke_options revoke_;
  std::function<exit_code(const command_environment&)> chosen_;
};

} // namespace scratchpage
