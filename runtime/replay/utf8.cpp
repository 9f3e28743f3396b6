#include "scratchpage/runtime/replay/utf8.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view ellipsis = "…";
constexpr char32_t invalid = 0xFFFD;

uint8_t byte_at(std::string_view text, size_t pos) {
  return static_cast<uint8_t>(text[pos]);
}

/// How long a sequence is that begins with `lead`; 0 if none does.
size_t length_of(uint8_t lead) {
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (lead >= 0xE0 && lead <= 0xEF)
    return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// The code point at `pos`; nothing was read if `length` comes back as 0.
char32_t decode(std::string_view text, size_t pos, size_t& length) {
  auto lead = byte_at(text, pos);
  length = length_of(lead);
  if (length == 0 || pos + length > text.size()) {
    length = 0;
    return invalid;
  }
  if (length == 1)
    return lead;
  char32_t result = lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    auto next = byte_at(text, pos + i);
    if ((next & 0xC0) != 0x80) {
      length = 0;
      return invalid;
    }
    result = (result << 6) | (next & 0x3Fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  auto surrogate = result >= 0xD800 && result <= 0xDFFF;
  if (result < smallest[length] || result > 0x10FFFF || surrogate)
    length = 0;
  return result;
}

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

} // namespace

char32_t next_code_point(std::string_view text, size_t& pos) {
  size_t length = 0;
  auto result = decode(text, pos, length);
  pos += length == 0 ? 1 : length;
  return length == 0 ? invalid : result;
}

size_t first_invalid_utf8(std::string_view text) {
  for (size_t pos = 0; pos < text.size();) {
    size_t length = 0;
    decode(text, pos, length);
    if (length == 0)
      return pos;
    pos += length;
  }
  return std::string_view::npos;
}

size_t display_width(std::string_view text) {
  size_t result = 0;
  for (size_t pos = 0; pos < text.size();)
    result += width_of(next_code_point(text, pos));
  return result;
}

std::string one_line(std::string_view text) {
  std::string result;
  auto blank = true; // leading space is dropped
  for (size_t pos = 0; pos < text.size();) {
    auto begin = pos;
    size_t length = 0;
    auto c = decode(text, pos, length);
    pos += length == 0 ? 1 : length;
    if (length == 0 || is_control(c) || c == ' ') {
      if (!blank)
        result += ' ';
      blank = true;
    } else {
      result += text.substr(begin, length);
      blank = false;
    }
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
  size_t pos = 0;
  while (pos < text.size()) {
    auto next = pos;
    auto width = width_of(next_code_point(text, next));
    if (used + width > columns - 1)
      break;
    used += width;
    pos = next;
  }
  return std::string{text.substr(0, pos)}.append(ellipsis);
}

std::string pad(std::string_view text, size_t columns) {
  auto result = fit(text, columns);
  return result.append(columns - display_width(result), ' ');
}

std::string shorten(std::string_view text, size_t bytes) {
  if (text.size() <= bytes)
    return std::string{text};
  auto room = bytes > ellipsis.size() ? bytes - ellipsis.size() : 0;
  size_t end = 0;
  for (size_t pos = 0; pos < text.size();) {
    next_code_point(text, pos);
    if (pos > room)
      break;
    end = pos;
  }
  return std::string{text.substr(0, end)}.append(ellipsis);
}

} // namespace scratchpage
