#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options of `scratchpage config check` and `config show`.
struct configuration_options {
  std::filesystem::path file; ///< "-": the standard input; "": the built-in configuration
  bool json = false;          ///< answer in JSON
};

/// Prints every mistake of a configuration with its place, warnings, and what differs from the
/// built-in configuration; `unmet` if there are mistakes, `bad_input` if it is no JSON.
exit_code run_config_check(
  const configuration_options& options, const command_environment& environment);

/// Prints the configuration that is in effect with that file, or the built-in one with comments.
exit_code run_config_show(
  const configuration_options& options, const command_environment& environment);

} // namespace scratchpage

namespace CLI {

class App;

} // namespace CLI

namespace scratchpage {

/// Defines the commands of `scratchpage config`, for CLI11.
class configuration_commands {
public:
  explicit configuration_commands(CLI::App& app);
  configuration_commands(const configuration_commands&) = delete;
  configuration_commands& operator=(const configuration_commands&) = delete;

  /// Whether one of them was parsed.
  bool parsed() const { return static_cast<bool>(chosen_); }

  /// Runs the command that was parsed.
  exit_code run(const command_environment& environment) const { return chosen_(environment); }

private:
  configuration_options check_;
  configuration_options show_;
  std::function<exit_code(const command_environment&)> chosen_;
};

} // namespace scratchpage
