#include "scratchpage/actors/conversation/result_preview.hpp"

#include <algorithm>

#include "scratchpage/actors/conversation/greatest.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// The end of a valid text, of at most so many bytes, from a character's beginning.
std::string_view suffix(std::string_view text, size_t bytes) {
  auto from = text.size() - std::min(bytes, text.size());
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80)
    ++from;
  return text.substr(from);
}

/// Two thirds of the bytes are of the beginning, the rest of the end.
std::string shown(std::string_view head, std::string_view text, size_t bytes) {
  auto first = bytes - bytes / 3;
  std::string result{head};
  if (bytes == 0)
    return result;
  result.append("\n").append(utf8::prefix(text, first)).append("\n…");
  if (bytes >= 3)
    result.append("\n").append(suffix(text.substr(std::min(first, text.size())), bytes / 3));
  return result;
}

} // namespace

std::string preview_of(
  std::string_view text, std::string_view path, uint32_t most, const token_counter& count) {
  auto head = "[" + std::to_string(text.size()) + " bytes, about " + std::to_string(count(text))
              + " tokens, whole in " + std::string{path} + "]";
  if (count(head) > most) {
    auto bytes =
      greatest(path.size(), [&](size_t n) { return count(utf8::prefix(path, n)) <= most; });
    return std::string{utf8::prefix(path, bytes)};
  }
  auto bytes = greatest(text.size(), [&](size_t n) { return count(shown(head, text, n)) <= most; });
  return shown(head, text, bytes);
}

} // namespace scratchpage
