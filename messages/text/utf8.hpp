#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.

namespace scratchpage::utf8 {

/// One character of a text.
struct character {
  char32_t code = 0xFFFD; ///< the replacement character if it is malformed
  size_t bytes = 1;       ///< one if it is malformed
  bool valid = false;
};

/// The character at the start of `text`, which is not empty.
character first_character(std::string_view text);

/// The position of the first malformed byte, or npos.
size_t first_invalid(std::string_view text);

bool is_valid(std::string_view text);

/// Whether the character has Unicode's property White_Space.
bool is_white_space(char32_t code);

/// Whether `text` is empty or has only white space.
bool is_blank(std::string_view text);

/// The number of characters of a valid text.
size_t length(std::string_view text);

/// The longest prefix of a valid text of at most `bytes` bytes that ends at a
/// character's end.
std::string_view prefix(std::string_view text, size_t bytes);

/// A valid text, cut between characters to at most `bytes` bytes. A text that was cut ends with
/// "…", which is part of these bytes.
std::string shortened(std::string_view text, size_t bytes);

} // namespace scratchpage::utf8
