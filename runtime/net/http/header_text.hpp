#pragma once

#include <algorithm>
#include <string_view>

namespace scratchpage::http {

/// A header's value without the blanks and tabs around it, which are no part of it (RFC 9110,
/// 5.5).
inline std::string_view without_blanks(std::string_view x) {
  constexpr std::string_view blanks = " \t";
  auto begin = x.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return x.substr(begin, x.find_last_not_of(blanks) - begin + 1);
}

/// Whether `x` is `lower`, which is in small letters, but for the case of ASCII letters: as names
/// of headers and their parameters are compared (RFC 9110, 5.1).
inline bool is_same_name(std::string_view x, std::string_view lower) {
  auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::equal(x.begin(), x.end(), lower.begin(), lower.end(), same);
}

} // namespace scratchpage::http
