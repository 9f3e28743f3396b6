#pragma once

#include <string>
#include <vector>

namespace scratchpage {

/// An option, a flag or a positional of a command.
struct option_reference {
  std::vector<std::string> names; ///< "-q", "--quiet"; of a positional its one name
  std::string value;              ///< what kind of value it takes, "FILE"; empty: a flag
  std::string about;
  std::string by_default; ///< what holds if it is not given, if that is known
  bool is_positional = false;
  bool is_required = false;
  bool is_repeatable = false;
};

/// A command, the program itself among them.
struct command_reference {
  std::string name;
  std::string about;
  std::vector<option_reference> options; ///< in the order of `--help`
  std::vector<command_reference> commands;
};

/// What the command line parses, for the manual page and the shells.
command_reference describe_command_line();

} // namespace scratchpage
