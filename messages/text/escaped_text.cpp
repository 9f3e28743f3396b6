#include "scratchpage/messages/text/escaped_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace scratchpage {

namespace {

struct code_range {
  char32_t first;
  char32_t last;
};

/// In their order, so that most texts are through after a comparison or two.
///
/// What Unicode calls Default_Ignorable_Code_Point is shown as nothing at all:
/// https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt. All of it is here but
/// U+FE0F, with which people write emojis. Beside it stand what steers (controls, separators,
/// annotations) and U+2800, a blank that passes for a letter.
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

} // namespace

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

} // namespace scratchpage
