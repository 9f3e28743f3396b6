#pragma once

#include <caf/error.hpp>

#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// Whether the limits lie where the program works: times that a clock can tell, sizes that
/// hold something. For the sections whose structs only name a default; the error names the
/// path.
caf::error validate_limits(const config& x);

} // namespace scratchpage
