#pragma once

#include <cstddef>
#include <string_view>

namespace scratchpage::utf8 {

/// Whether `text` is well-formed UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
bool is_valid(std::string_view text);

/// Characters of a valid text.
size_t length(std::string_view text);

/// The longest prefix of a valid text of at most `bytes` bytes that ends at a
/// character's end.
std::string_view prefix(std::string_view text, size_t bytes);

} // namespace scratchpage::utf8
