#pragma once

#include <string>
#include <vector>

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

  /// Runs the command that was parsed.
  exit_code run(const command_environment& environment) const;

private:
  simulate_options simulation_;
  CLI::App* simulate_;
  evaluate_options evaluation_;
  CLI::App* evaluate_;
  data_commands data_;
  server_commands servers_;
  token_commands tokens_;
};

/// An option, a flag or a positional argument of a command.
struct option_reference {
  std::vector<std::string> names; ///< "-q", "--quiet"; a positional argument has one name
  std::string value;              ///< the kind of its value, such as "FILE"; empty: a flag
  std::string about;
  std::string by_default; ///< its default, if that is known
  bool is_positional = false;
  bool is_required = false;
  bool is_repeatable = false;
};

/// A command. The program itself is the outermost one.
struct command_reference {
  std::string name;
  std::string about;
  std::vector<option_reference> options; ///< in the order of `--help`
  std::vector<command_reference> commands;
};

/// Describes all commands, for the manual page and the completions of shells.
command_reference describe_command_line();

} // namespace scratchpage
