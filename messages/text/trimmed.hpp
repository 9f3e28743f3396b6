#pragma once

#include <string_view>

namespace scratchpage {

/// The part of `text` that neither begins nor ends with one of the characters of `blanks`; "" if it
/// has no others.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
  auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

} // namespace scratchpage
