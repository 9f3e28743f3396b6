#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// All that is known of UTF-8 here (RFC 3629: no overlong forms, no surrogates,
/// nothing above U+10FFFF).

namespace scratchpage::utf8 {

/// One character of a text.
struct character {
  char32_t code = 0xFFFD; ///< the replacement character if it is malformed
  size_t bytes = 1;       ///< one if it is malformed
  bool valid = false;
};

/// The character at the start of `text`, which is not empty.
character first_character(std::string_view text);

/// Where the first byte stands that is malformed, or npos.
size_t first_invalid(std::string_view text);

bool is_valid(std::string_view text);

/// Unicode's White_Space property, by which texts are trimmed.
bool is_white_space(char32_t code);

/// Whether `text` has nothing but white space.
bool is_blank(std::string_view text);

/// Characters of a valid text.
size_t length(std::string_view text);

/// The longest prefix of a valid text of at most `bytes` bytes that ends at a
/// character's end.
std::string_view prefix(std::string_view text, size_t bytes);

/// A valid text within `bytes` bytes, cut between characters; "…", which counts
/// among them, tells what is cut.
std::string shortened(std::string_view text, size_t bytes);

} // namespace scratchpage::utf8
