#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text as people see it: how wide it is, how to cut it, what must not be shown.

namespace scratchpage {

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

} // namespace scratchpage
