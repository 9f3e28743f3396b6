#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace scratchpage {

/// Gets the text of one entry of a file and the line on which it begins.
using entry_sink = std::function<void(std::string_view, size_t)>;

/// Finds the entries of a transcript. These are its lines that are not blank, or, if the file has
/// JSON values on several lines, those values, or the elements of the list around them. What is
/// found need not be valid JSON: a value that does not end reaches to the end of the text.
void each_entry(std::string_view text, std::string_view file, const entry_sink& sink);

} // namespace scratchpage
