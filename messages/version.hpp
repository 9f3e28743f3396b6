#pragma once

#include <string_view>

namespace scratchpage {

/// Of this program and library, "0.1.0".
extern const std::string_view version;

} // namespace scratchpage
