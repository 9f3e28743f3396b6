#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Bytes that are no text, as a text (RFC 4648, section 4).

namespace scratchpage {

std::string to_base64(std::string_view bytes);

/// Nothing, if it is not what `to_base64` would give.
std::optional<std::string> from_base64(std::string_view text);

} // namespace scratchpage
