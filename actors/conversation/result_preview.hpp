#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/messages/text/token_estimate.hpp"

namespace scratchpage {

/// What stands in the place of a text that is too long for a prompt and has gone
/// whole to a file: its path and size, and as much of its beginning and end as
/// fits. It never costs more than `most` tokens, and is as much of the path as
/// fits if not even that does (seed scratchbook-plan A7).
std::string preview_of(
  std::string_view text, std::string_view path, uint32_t most, const token_counter& count);

} // namespace scratchpage
