#pragma once

#include <string>

#include "scratchpage/runtime/cli/command_reference.hpp"

namespace scratchpage {

// What a shell needs to complete the program's words: commands, options, and
// names of files where those are wanted.

std::string bash_completion(const command_reference& program);
std::string zsh_completion(const command_reference& program);
std::string fish_completion(const command_reference& program);

} // namespace scratchpage
