#include "scratchpage/persistence/store/archive_pack.hpp"

#include <charconv>

#include "scratchpage/persistence/store/compressed_text.hpp"

namespace scratchpage {

namespace {

constexpr int level = 9;

/// Takes a number and what ends it.
std::optional<uint64_t> take_number(std::string_view& text, char end) {
  uint64_t number = 0;
  auto [rest, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || rest == text.data() + text.size() || *rest != end)
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(rest - text.data()) + 1);
  return number;
}

} // namespace

std::string pack(const archive_bodies& bodies) {
  std::string text;
  for (const auto& [sequence, body] : bodies)
    text.append(std::to_string(sequence))
      .append(" ")
      .append(std::to_string(body.size()))
      .append("\n")
      .append(body);
  return compress(text, level);
}

std::optional<archive_bodies> unpack(std::string_view bytes) {
  auto text = decompress(bytes);
  if (!text)
    return std::nullopt;
  archive_bodies result;
  for (std::string_view rest{*text}; !rest.empty();) {
    auto sequence = take_number(rest, ' ');
    auto size = take_number(rest, '\n');
    if (!sequence || !size || *size > rest.size())
      return std::nullopt;
    result.emplace(*sequence, rest.substr(0, *size));
    rest.remove_prefix(*size);
  }
  return result;
}

} // namespace scratchpage
