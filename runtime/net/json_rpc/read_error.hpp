#pragma once

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// The reverse of `to_json` of an error; never no error.
caf::error read_error(const json::value& x);

} // namespace scratchpage
