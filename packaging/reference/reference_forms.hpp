#pragma once

#include <string>

#include "scratchpage/runtime/cli/command_reference.hpp"

namespace scratchpage {

/// The manual page, for section 1, in the macros of man(7).
std::string man_page(const command_reference& program);

} // namespace scratchpage
