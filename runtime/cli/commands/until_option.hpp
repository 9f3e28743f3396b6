#pragma once

#include <string>

#include <caf/expected.hpp>

#include "scratchpage/persistence/transfer/past_page.hpp"

namespace scratchpage {

/// What `--until` was given: digits are a sequence, anything else a time, which
/// is past. The error names the option.
caf::expected<moment> read_until(const std::string& given);

} // namespace scratchpage
