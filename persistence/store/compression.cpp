#include "scratchpage/persistence/store/compression.hpp"

#include <zstd.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace scratchpage {

namespace {

/// The largest text that is ever compressed. A frame that claims more is damaged.
constexpr uint64_t max_bytes = uint64_t{256} << 20;

constexpr int level = 9;

/// Takes a number and the character after it, which must be `end`.
std::optional<uint64_t> take_number(std::string_view& text, char end) {
  uint64_t number = 0;
  auto [rest, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || rest == text.data() + text.size() || *rest != end)
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(rest - text.data()) + 1);
  return number;
}

} // namespace

std::string compress(std::string_view text, int level) {
  return compressor{level}(text);
}

void compressor::delete_context::operator()(void* x) const {
  ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(x));
}

compressor::compressor(int level)
  : context_{ZSTD_createCCtx()} {
  auto* context = static_cast<ZSTD_CCtx*>(context_.get());
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
}

std::string compressor::operator()(std::string_view text) {
  if (auto most = ZSTD_compressBound(text.size()); room_.size() < most)
    room_.resize(most);
  auto size = ZSTD_compress2(
    static_cast<ZSTD_CCtx*>(context_.get()), room_.data(), room_.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0)
    throw std::runtime_error{ZSTD_getErrorName(size)};
  return room_.substr(0, size);
}

std::optional<std::string> decompress(std::string_view bytes) {
  auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > max_bytes) // also true for the special values "unknown" and "error"
    return std::nullopt;
  std::string text(size, '\0');
  auto got = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != size)
    return std::nullopt;
  return text;
}

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
