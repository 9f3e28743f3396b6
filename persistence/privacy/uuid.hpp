#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

/// UUIDs in their usual text form (RFC 9562, 4). They are no personal data; what
/// looks for numbers shall not see some in them.
text_ranges find_uuids(std::string_view text);

} // namespace scratchpage
