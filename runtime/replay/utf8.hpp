#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text as people see it: where UTF-8 breaks, how wide it is, how to cut it.

namespace scratchpage {

/// Takes the code point at `pos` of `text` and moves `pos` behind it. Gives
/// U+FFFD for a byte that is not UTF-8, and then moves by that one byte.
char32_t next_code_point(std::string_view text, size_t& pos);

/// Where the first byte that is not UTF-8 stands, or npos.
size_t first_invalid_utf8(std::string_view text);

/// How many columns a terminal needs: two for wide characters, none for
/// combining ones.
size_t display_width(std::string_view text);

/// Replaces control characters and bytes that are not UTF-8 by spaces, runs of
/// white space by one: foreign text must not steer a terminal.
std::string one_line(std::string_view text);

/// At most `columns` wide; what is cut is told by "…".
std::string fit(std::string_view text, size_t columns);

/// As `fit`, then filled with spaces up to `columns`.
std::string pad(std::string_view text, size_t columns);

/// At most `bytes` long, cut between code points; what is cut is told by "…".
std::string shorten(std::string_view text, size_t bytes);

} // namespace scratchpage
