#include "scratchpage/messages/text/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace scratchpage::utf8 {

namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

constexpr size_t word = sizeof(uint64_t);

/// Whether the eight bytes from `pos` on are ASCII, as most text is. False if there are fewer.
bool is_ascii_word(std::string_view text, size_t pos) {
  if (text.size() - pos < word)
    return false;
  uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + pos, word);
  return (bytes & 0x8080808080808080u) == 0;
}

/// The number of bytes of the first character of `text`; 0 if it is malformed.
size_t size_of_first(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  auto first = byte(0);
  if (first < 0x80)
    return 1;
  size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size)
    return 0;
  // The second byte's range is what excludes overlong forms and surrogates.
  unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high)
    return 0;
  for (size_t i = 2; i < size; ++i)
    if (!is_continuation(text[i]))
      return 0;
  return size;
}

/// How many characters begin in `text`.
size_t characters_in(std::string_view text) {
  return static_cast<size_t>(
    std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

} // namespace

character first_character(std::string_view text) {
  auto size = size_of_first(text);
  if (size == 0)
    return {};
  char32_t code = static_cast<unsigned char>(text[0]);
  if (size > 1)
    code &= 0x7Fu >> size;
  for (size_t i = 1; i < size; ++i)
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  return {code, size, true};
}

size_t first_invalid(std::string_view text) {
  for (size_t pos = 0; pos < text.size();) {
    if (is_ascii_word(text, pos)) {
      pos += word;
      continue;
    }
    auto size = size_of_first(text.substr(pos));
    if (size == 0)
      return pos;
    pos += size;
  }
  return std::string_view::npos;
}

bool is_valid(std::string_view text) {
  return first_invalid(text) == std::string_view::npos;
}

bool is_white_space(char32_t code) {
  return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xA0
         || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029
         || code == 0x202F || code == 0x205F || code == 0x3000;
}

bool is_blank(std::string_view text) {
  while (!text.empty()) {
    auto next = first_character(text);
    if (!is_white_space(next.code))
      return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

size_t length(std::string_view text) {
  size_t result = 0;
  size_t pos = 0;
  for (; text.size() - pos >= word; pos += word)
    result += is_ascii_word(text, pos) ? word : characters_in(text.substr(pos, word));
  return result + characters_in(text.substr(pos));
}

std::string_view prefix(std::string_view text, size_t bytes) {
  if (bytes >= text.size())
    return text;
  while (bytes > 0 && is_continuation(text[bytes]))
    --bytes;
  return text.substr(0, bytes);
}

std::string shortened(std::string_view text, size_t bytes) {
  constexpr std::string_view ellipsis = "…";
  if (text.size() <= bytes)
    return std::string{text};
  return std::string{prefix(text, bytes - std::min(bytes, ellipsis.size()))}.append(ellipsis);
}

} // namespace scratchpage::utf8
