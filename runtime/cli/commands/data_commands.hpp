#pragma once

#include <functional>
#include <memory>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace CLI {
class App;
} // namespace CLI

namespace scratchpage {

/// Defines the commands that work on a data directory, for CLI11.
class data_commands {
public:
  explicit data_commands(CLI::App& app);
  data_commands(const data_commands&) = delete;
  data_commands& operator=(const data_commands&) = delete;
  ~data_commands();

  /// Runs the command that was parsed.
  exit_code run(const command_environment& environment) const;

private:
  struct everything; // the options of all commands
  void define_scratch_commands(CLI::App& app);

  using command = std::function<exit_code(const command_environment&)>;

  std::unique_ptr<everything> options_;
  command chosen_;
};

} // namespace scratchpage
