#pragma once

#include <string>

#include "scratchpage/runtime/cli/command_tree.hpp"

namespace scratchpage {

// The forms in which the command line is described to people and to shells. Each
// function returns the whole text of one file.

/// The manual page, for section 1, in the macros of man(7).
std::string man_page(const command_reference& program);

// Completions of commands, of options, and of file names where a command takes a file.

std::string bash_completion(const command_reference& program);
std::string zsh_completion(const command_reference& program);
std::string fish_completion(const command_reference& program);

/// What a completion offers as the value of an option or as a positional argument.
enum class value_kind { none, text, file, directory };

inline value_kind kind_of(const option_reference& x) {
  if (x.value.empty())
    return value_kind::none;
  if (x.value.starts_with("FILE") || x.value == "INPUT")
    return value_kind::file;
  return x.value.starts_with("DIR") ? value_kind::directory : value_kind::text;
}

} // namespace scratchpage
