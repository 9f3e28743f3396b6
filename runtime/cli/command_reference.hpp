#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace scratchpage {

/// An option, a flag or a positional argument of a command.
struct option_reference {
  std::vector<std::string> names; ///< "-q", "--quiet"; a positional argument has one name
  std::string value;              ///< the kind of its value, such as "FILE"; empty: a flag
  std::string about;
  std::string by_default; ///< its default, if that is known
  bool is_positional = false;
  bool is_required = false;
  bool is_repeatable = false;
  std::vector<std::string> choices; ///< the values that it may have; empty: any
};

/// A command. The program itself is the outermost one.
struct command_reference {
  std::string name;
  std::string about;
  std::vector<option_reference> options; ///< in the order of `--help`
  std::vector<command_reference> commands;
};

/// Describes a command and its subcommands.
command_reference describe(const CLI::App& x);

/// Describes all commands, for the manual page and the completions of shells.
command_reference describe_command_line();

/// What a completion offers as the value of an option or as a positional argument.
enum class value_kind { none, text, file, directory, agent };

value_kind kind_of(const option_reference& x);

// Completions of commands, of options, of values that are known, of agents, and of file names. Each
// function returns the whole script.

std::string bash_completion(const command_reference& program);
std::string zsh_completion(const command_reference& program);
std::string fish_completion(const command_reference& program);

} // namespace scratchpage
