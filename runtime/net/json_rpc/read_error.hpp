#pragma once

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// Reads the JSON that `to_json` makes of an error. JSON that is no such error gives `internal`.
caf::error read_error(const json::value& x);

} // namespace scratchpage
