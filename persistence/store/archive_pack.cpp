#include "scratchpage/persistence/store/archive_pack.hpp"

#include <charconv>
#include <stdexcept>

#include <zstd.h>

namespace scratchpage {

namespace {

/// Beyond the default of 3, texts become a tenth smaller; much beyond it, little
/// more for a lot of time.
constexpr int level = 9;

/// More was never packed; who says so is not to be believed.
constexpr uint64_t most_bytes = uint64_t{256} << 20;

/// Takes a number and what ends it.
std::optional<uint64_t> take_number(std::string_view& text, char end) {
  uint64_t number = 0;
  auto [rest, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || rest == text.data() + text.size() || *rest != end)
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(rest - text.data()) + 1);
  return number;
}

std::optional<std::string> decompress(std::string_view bytes) {
  auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > most_bytes) // which the values for "unknown" and "damaged" are, too
    return std::nullopt;
  std::string text(size, '\0');
  auto got = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != size)
    return std::nullopt;
  return text;
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
  std::string result(ZSTD_compressBound(text.size()), '\0');
  auto size = ZSTD_compress(result.data(), result.size(), text.data(), text.size(), level);
  if (ZSTD_isError(size) != 0)
    throw std::runtime_error{ZSTD_getErrorName(size)}; // for want of memory, only
  result.resize(size);
  return result;
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
