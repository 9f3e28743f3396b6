#pragma once

#include "scratchpage/runtime/cli/commands/data_commands.hpp"
#include "scratchpage/runtime/cli/commands/server_commands.hpp"
#include "scratchpage/runtime/cli/commands/simulate.hpp"
#include "scratchpage/runtime/cli/commands/token_commands.hpp"

namespace scratchpage {

/// All that the command line knows, and what it was asked for.
class command_tree {
public:
  explicit command_tree(CLI::App& app);

  /// The command that was parsed.
  exit_code run(const command_environment& environment) const;

private:
  simulate_options simulation_;
  CLI::App* simulate_;
  data_commands data_;
  server_commands servers_;
  token_commands tokens_;
};

} // namespace scratchpage
