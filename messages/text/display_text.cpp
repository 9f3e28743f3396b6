#include "scratchpage/messages/text/display_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view ellipsis = "…";

bool is_control(char32_t c) {
  auto is_bidi = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || is_bidi;
}

size_t width_of(char32_t c) {
  auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (within(0x300, 0x36F) || within(0x200B, 0x200F) || within(0xFE00, 0xFE0F) || c == 0xFEFF)
    return 0;
  auto wide = within(0x1100, 0x115F) || within(0x2E80, 0xA4CF) || within(0xAC00, 0xD7A3)
              || within(0xF900, 0xFAFF) || within(0xFE30, 0xFE6F) || within(0xFF00, 0xFF60)
              || within(0x1F300, 0x1FAFF) || within(0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

struct code_range {
  char32_t first;
  char32_t last;
};

/// Unsafe characters, sorted by code.
///
/// Characters that Unicode calls Default_Ignorable_Code_Point are shown as nothing at all:
/// https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt. The list has all of
/// them except U+FE0F, which people use in emojis. It also has controls, separators and
/// annotations, and U+2800, which looks like a blank but counts as a letter.
constexpr std::array<code_range, 20> unsafe_codes{{
  {0x00, 0x1F}, {0x7F, 0x9F}, // controls, of a terminal too
  {0xAD, 0xAD},               // soft hyphen
  {0x34F, 0x34F},             // combining grapheme joiner
  {0x61C, 0x61C},             // Arabic letter mark
  {0x115F, 0x1160},           // Hangul fillers
  {0x17B4, 0x17B5},           // Khmer inherent vowels
  {0x180B, 0x180F},           // Mongolian variation selectors, vowel separator
  {0x200B, 0x200F},           // zero width, marks of direction
  {0x2028, 0x202E},           // separators, directions
  {0x2060, 0x206F},           // invisible operators
  {0x2800, 0x2800},           // Braille blank
  {0x3164, 0x3164},           // Hangul filler
  {0xFE00, 0xFE0E},           // variation selectors
  {0xFEFF, 0xFEFF},           // byte order mark
  {0xFFA0, 0xFFA0},           // halfwidth Hangul filler
  {0xFFF0, 0xFFFB},           // unassigned and ignorable, annotations
  {0x1BCA0, 0x1BCA3},         // shorthand format controls
  {0x1D173, 0x1D17A},         // musical format controls
  {0xE0000, 0xE0FFF},         // tags: a text within the text
}};

std::string hex(uint32_t x) {
  std::array<char, 8> buffer;
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, 16).ptr;
  return {buffer.data(), end};
}

constexpr size_t max_name_bytes = 64;

void append_quoted_one(std::string& to, const utf8::character& x, std::string_view bytes) {
  if (x.valid && (x.code == '"' || x.code == '\\'))
    to.append("\\").append(bytes);
  else
    append_escaped(to, x, bytes);
}

bool is_plain_in_names(char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9')
         || std::string_view{"_-.:@/"}.find(x) != std::string_view::npos;
}

/// A number with one decimal, or with none if the decimal would be 0.
std::string short_number(double x) {
  std::array<char, 32> buffer;
  auto rounded = std::round(x * 10) / 10;
  auto digits = rounded == std::floor(rounded) ? 0 : 1;
  auto* begin = buffer.data();
  auto end = std::to_chars(begin, begin + buffer.size(), rounded, std::chars_format::fixed, digits);
  return {begin, end.ptr};
}

std::string two_units(double x, std::string_view unit, double per, std::string_view smaller) {
  auto whole = std::floor(x);
  auto rest = std::floor((x - whole) * per + 1e-6);
  auto result = short_number(whole).append(" ").append(unit);
  return rest == 0 ? result : result + " " + short_number(rest).append(" ").append(smaller);
}

} // namespace

size_t display_width(std::string_view text) {
  size_t result = 0;
  while (!text.empty()) {
    auto next = utf8::first_character(text);
    result += width_of(next.code);
    text.remove_prefix(next.bytes);
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string result;
  auto blank = true; // white space at the beginning is dropped
  while (!text.empty()) {
    auto next = utf8::first_character(text);
    if (!next.valid || is_control(next.code) || next.code == ' ') {
      if (!blank)
        result += ' ';
      blank = true;
    } else {
      result += text.substr(0, next.bytes);
      blank = false;
    }
    text.remove_prefix(next.bytes);
  }
  if (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

std::string fit(std::string_view text, size_t columns) {
  if (display_width(text) <= columns)
    return std::string{text};
  if (columns == 0)
    return {};
  size_t used = 0;
  size_t end = 0;
  while (end < text.size()) {
    auto next = utf8::first_character(text.substr(end));
    auto width = width_of(next.code);
    if (used + width > columns - 1)
      break;
    used += width;
    end += next.bytes;
  }
  return std::string{text.substr(0, end)}.append(ellipsis);
}

std::string pad(std::string_view text, size_t columns) {
  auto result = fit(text, columns);
  return result.append(columns - display_width(result), ' ');
}

bool is_unsafe(char32_t code) {
  auto holds = [code](const code_range& x) { return code >= x.first && code <= x.last; };
  return std::any_of(unsafe_codes.begin(), unsafe_codes.end(), holds);
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    auto next = utf8::first_character(text);
    append_escaped(result, next, text.substr(0, next.bytes));
    text.remove_prefix(next.bytes);
  }
  return result;
}

void append_escaped(std::string& to, const utf8::character& x, std::string_view bytes) {
  if (!x.valid)
    to += "\\x" + hex(static_cast<unsigned char>(bytes[0]));
  else if (x.code == '\n')
    to += "\\n";
  else if (x.code == '\r')
    to += "\\r";
  else if (x.code == '\t')
    to += "\\t";
  else if (is_unsafe(x.code))
    to += "\\u{" + hex(x.code) + "}";
  else
    to += bytes;
}

std::string quoted(std::string_view text, size_t max_bytes) {
  std::string result = "\"";
  for (size_t shown = 0; !text.empty();) {
    auto next = utf8::first_character(text);
    shown += next.bytes;
    if (shown > max_bytes) {
      result += "…";
      break;
    }
    append_quoted_one(result, next, text.substr(0, next.bytes));
    text.remove_prefix(next.bytes);
  }
  return result + "\"";
}

std::string shown_name(std::string_view text) {
  if (!text.empty() && text.size() <= max_name_bytes
      && std::all_of(text.begin(), text.end(), is_plain_in_names))
    return std::string{text};
  return quoted(text, max_name_bytes);
}

std::string human_time(double ms) {
  if (ms < 1 && ms > 0)
    return short_number(std::max(ms, 0.1)) + " ms";
  if (ms < 1000)
    return short_number(std::round(ms)) + " ms";
  if (ms < 60'000)
    return short_number(ms / 1000) + " s";
  if (ms < 3'600'000)
    return two_units(ms / 60'000, "min", 60, "s");
  if (ms < 86'400'000)
    return two_units(ms / 3'600'000, "h", 60, "min");
  return two_units(ms / 86'400'000, "d", 24, "h");
}

} // namespace scratchpage
