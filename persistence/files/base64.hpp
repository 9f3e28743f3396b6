#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Base64 (RFC 4648, section 4), for bytes that are no text.

namespace scratchpage {

std::string to_base64(std::string_view bytes);

/// Decodes a text. Nothing if `to_base64` cannot have made it.
std::optional<std::string> from_base64(std::string_view text);

} // namespace scratchpage
