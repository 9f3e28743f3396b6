#include "scratchpage/persistence/store/compressed_text.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>

#include <zstd.h>

namespace scratchpage {

namespace {

/// More was never compressed; who says so is not to be believed.
constexpr uint64_t most_bytes = uint64_t{256} << 20;

} // namespace

std::string compress(std::string_view text, int level) {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> by{ZSTD_createCCtx(), ZSTD_freeCCtx};
  ZSTD_CCtx_setParameter(by.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(by.get(), ZSTD_c_checksumFlag, 1);
  std::string result(ZSTD_compressBound(text.size()), '\0');
  auto size = ZSTD_compress2(by.get(), result.data(), result.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0)
    throw std::runtime_error{ZSTD_getErrorName(size)};
  result.resize(size);
  return result;
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

} // namespace scratchpage
