#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <re2/re2.h>

/// What the finders of personal data share: classes of characters, edges of words, and the matches
/// of a pattern one after the other.

namespace scratchpage {

/// A range of bytes in a text.
struct text_range {
  size_t offset = 0;
  size_t length = 0;

  size_t end() const { return offset + length; }
  bool operator==(const text_range&) const = default;
};

using text_ranges = std::vector<text_range>;

/// A class of characters for patterns: what may be between two digits of a number. These are space,
/// dot, hyphen, and the forms of space and dash that word processors make of them.
inline constexpr std::string_view separator_class = "[ .\\x{A0}\\x{2009}-\\x{2013}\\x{202F}-]";

constexpr bool is_digit(char x) {
  return x >= '0' && x <= '9';
}

constexpr bool is_letter(char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z');
}

/// Whether a character is an ASCII letter, a digit or an underscore. Other letters do not count,
/// because scripts without spaces between words may put them right beside a number.
constexpr bool is_word(char x) {
  return is_letter(x) || is_digit(x) || x == '_';
}

/// The character before `at`, or a space at the start.
inline char before(std::string_view text, size_t at) {
  return at > 0 ? text[at - 1] : ' ';
}

/// The character at `at`, or a space beyond the end.
inline char at_or_space(std::string_view text, size_t at) {
  return at < text.size() ? text[at] : ' ';
}

/// Whether no character before or after `x` belongs to the same word.
bool is_whole_word(std::string_view text, text_range x);

/// The digits of `text` and nothing else.
std::string digits_of(std::string_view text);

/// A pattern that matches in linear time and, by RE2's default, within 8 MiB of memory. It writes
/// nothing to stderr.
class text_pattern {
public:
  explicit text_pattern(const std::string& pattern);

  /// The leftmost match from `from` on, or an empty range at the end of `text`.
  /// If the pattern has a group, the range is the group's.
  text_range next(std::string_view text, size_t from) const;

  /// Whether the pattern fits the start of `text`.
  bool fits_start(std::string_view text) const;

private:
  re2::RE2 regex_;
};

/// UUIDs in their usual text form (RFC 9562, 4). They are no personal data; they are found so that
/// the other finders do not take parts of them for numbers.
text_ranges find_uuids(std::string_view text);

} // namespace scratchpage
