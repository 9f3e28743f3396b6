#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// Why a tool failed, as the text that a model gets from it says: it begins with
/// "Error", or is a JSON object with an `error`. Nothing if it says no such thing.
std::optional<std::string> failure_in(std::string_view text);

/// As above, of an answer that was read already.
std::optional<std::string> failure_in(const json::object& answer);

} // namespace scratchpage
