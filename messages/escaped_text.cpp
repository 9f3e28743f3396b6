#include "scratchpage/messages/escaped_text.hpp"

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

constexpr std::array<code_range, 12> unsafe_codes{{
  {0x00, 0x1F}, {0x7F, 0x9F},                     // controls
  {0xAD, 0xAD}, {0x61C, 0x61C}, {0x180E, 0x180E}, // soft hyphen, Arabic mark, separator
  {0x200B, 0x200F}, {0x2028, 0x202E},             // zero width, separators, directions
  {0x2060, 0x206F}, {0xFE00, 0xFE0E},             // invisible operators, variation selectors
  {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},             // byte order mark, annotations
  {0xE0000, 0xE0FFF},                             // tags: a text within the text
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
