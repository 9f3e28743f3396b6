#include "scratchpage/persistence/privacy/text_scan.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace scratchpage {

bool is_whole_word(std::string_view text, text_range x) {
  return !is_word(before(text, x.offset)) && !is_word(at_or_space(text, x.end()));
}

std::string digits_of(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result), is_digit);
  return result;
}

text_pattern::text_pattern(const std::string& pattern)
  : regex_{pattern, re2::RE2::Quiet} {}

text_range text_pattern::next(std::string_view text, size_t from) const {
  std::array<re2::StringPiece, 2> groups;
  auto count = 1 + regex_.NumberOfCapturingGroups();
  re2::StringPiece all{text.data(), text.size()};
  if (from > text.size()
      || !regex_.Match(all, from, text.size(), re2::RE2::UNANCHORED, groups.data(), count))
    return {text.size(), 0};
  const auto& found = groups.at(static_cast<size_t>(count) - 1);
  return {static_cast<size_t>(found.data() - text.data()), found.size()};
}

bool text_pattern::fits_start(std::string_view text) const {
  re2::StringPiece all{text.data(), text.size()};
  return regex_.Match(all, 0, text.size(), re2::RE2::ANCHOR_START, nullptr, 0);
}

text_ranges find_uuids(std::string_view text) {
  static const text_pattern pattern{"\\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\b"};
  text_ranges result;
  for (auto x = pattern.next(text, 0); x.length > 0; x = pattern.next(text, x.end()))
    result.push_back(x);
  return result;
}

} // namespace scratchpage
