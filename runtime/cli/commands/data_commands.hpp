#pragma once

#include <functional>
#include <memory>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace CLI {
class App;
} // namespace CLI

namespace scratchpage {

/// The commands that work on a data directory, as parts of a command line.
class data_commands {
public:
  explicit data_commands(CLI::App& app);
  data_commands(const data_commands&) = delete;
  data_commands& operator=(const data_commands&) = delete;
  ~data_commands();

  /// The one that was parsed.
  exit_code run(const command_environment& environment) const;

private:
  struct everything; // the options of them all
  void define_scratch_commands(CLI::App& app);

  using command = std::function<exit_code(const command_environment&)>;

  std::unique_ptr<everything> options_;
  command chosen_;
};

} // namespace scratchpage
