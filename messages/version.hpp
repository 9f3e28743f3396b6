#pragma once

#include <string_view>

namespace scratchpage {

/// The version of this program and library, such as "0.1.0".
extern const std::string_view version;

} // namespace scratchpage
