#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace scratchpage::mcp {

/// Fills it with what nobody can guess; ends the process if the system has none.
void fill_random(std::span<unsigned char> out);

/// So many random bytes as hexadecimal digits.
std::string random_text(size_t bytes);

} // namespace scratchpage::mcp
