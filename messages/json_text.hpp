#pragma once

#include <string>

#include "scratchpage/messages/json.hpp"

namespace scratchpage {

/// JSON for people and for files: numbers in plain notation (0.99, not 9.9E-1),
/// members in their order, the same bytes for the same value.
std::string to_text(const json::value& value);

/// The same over several lines, indented by two spaces.
std::string to_pretty_text(const json::value& value);

} // namespace scratchpage
