#include "scratchpage/messages/text/display_text.hpp"

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
  auto blank = true; // leading space is dropped
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

} // namespace scratchpage
