#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/configuration.hpp"
#include "scratchpage/runtime/cli/commands/data_commands.hpp"
#include "scratchpage/runtime/cli/commands/evaluate.hpp"
#include "scratchpage/runtime/cli/commands/server_commands.hpp"
#include "scratchpage/runtime/cli/commands/simulate.hpp"
#include "scratchpage/runtime/cli/commands/token.hpp"

namespace scratchpage {

/// Defines all commands of the program, and holds the options that were parsed.
class command_tree {
public:
  explicit command_tree(CLI::App& app);

  /// Runs the command that was parsed, with the options that variables of the environment set.
  exit_code run(const command_environment& given) const;

private:
  exit_code print_completion(const command_environment& environment) const;

  CLI::App& app_;
  simulate_options simulation_;
  CLI::App* simulate_;
  evaluate_options evaluation_;
  CLI::App* evaluate_;
  data_commands data_;
  server_commands servers_;
  token_commands tokens_;
  configuration_commands configurations_;
  std::string shell_;
  CLI::App* completion_;
};

} // namespace scratchpage
