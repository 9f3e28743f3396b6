#include "scratchpage/persistence/privacy/social_security_numbers.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

const std::string separator{separator_class};

/// Where the digits are that `from` on another group follows, behind `separator`.
bool goes_on(std::string_view text, size_t from, std::string_view separator) {
  return text.substr(std::min(from, text.size())).starts_with(separator)
         && is_digit(at_or_space(text, from + separator.size()));
}

/// As `goes_on`, to the left.
bool comes_from(std::string_view text, size_t to, std::string_view separator) {
  auto left = text.substr(0, to);
  return left.ends_with(separator) && is_digit(before(text, to - separator.size()));
}

/// Whether both separators are the same and no further group joins in: a longer
/// row of numbers is something else.
bool stands_alone(std::string_view text, text_range x) {
  auto found = text.substr(x.offset, x.length);
  auto second = found.size() - 4;
  auto width = (found.size() - 9) / 2;
  auto first = found.substr(3, width);
  return first == found.substr(second - width, width) && is_whole_word(text, x)
         && !goes_on(text, x.end(), first) && !comes_from(text, x.offset, first);
}

void find_grouped(std::string_view text, text_ranges& found) {
  static const text_pattern pattern{"[0-9]{3}" + separator + "[0-9]{2}" + separator + "[0-9]{4}"};
  for (auto x = pattern.next(text, 0); x.length > 0; x = pattern.next(text, x.offset + 3))
    if (stands_alone(text, x)
        && is_social_security_number(digits_of(text.substr(x.offset, x.length))))
      found.push_back(x);
}

void find_named(std::string_view text, text_ranges& found) {
  // No brackets in between: what stands in them may be a mask.
  static const text_pattern pattern{
    "(?i)\\b(?:ssn|social security)(?: number| no\\.?)?[ \\t:=#\"']{1,4}(?:is )?([0-9]{9})\\b"};
  for (auto x = pattern.next(text, 0); x.length > 0; x = pattern.next(text, x.end()))
    if (is_social_security_number(text.substr(x.offset, x.length)))
      found.push_back(x);
}

} // namespace

bool is_social_security_number(std::string_view digits) {
  if (digits.size() != 9 || !std::all_of(digits.begin(), digits.end(), is_digit))
    return false;
  auto area = digits.substr(0, 3);
  return area != "000" && area != "666" && area < "900" && digits.substr(3, 2) != "00"
         && digits.substr(5) != "0000";
}

text_ranges find_social_security_numbers(std::string_view text) {
  text_ranges result;
  find_grouped(text, result);
  find_named(text, result);
  return result;
}

} // namespace scratchpage
