#pragma once

#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/json.hpp"

namespace scratchpage {

/// The text of a scratchbook's file: JSON with sorted keys, of which the member `checksum`
/// is that of the same text without it (XXH3, 16 hexadecimal digits). One that `book` has
/// already is replaced.
std::string to_book_text(json::object book);

/// Takes the checksum out of a scratchbook's file that was read. Older versions wrote none,
/// and then there is nothing to compare. Error: `internal` about `checksum` if the rest is
/// not what was written.
caf::error take_checksum(json::object& book);

} // namespace scratchpage
