#include "scratchpage/persistence/files/base64.hpp"

#include <algorithm>
#include <cstddef>

#include <openssl/evp.h>

namespace scratchpage {

namespace {

/// OpenSSL counts in `int`, so a text is converted in pieces. A piece has whole groups of digits,
/// so that only the last one needs padding.
constexpr size_t bytes_at_once = 3u << 18;
constexpr size_t digits_at_once = 4u << 18;

const unsigned char* bytes_of(std::string_view x) {
  return reinterpret_cast<const unsigned char*>(x.data());
}

unsigned char* bytes_of(std::string& x, size_t from) {
  return reinterpret_cast<unsigned char*>(x.data() + from);
}

} // namespace

std::string to_base64(std::string_view bytes) {
  std::string result((bytes.size() + 2) / 3 * 4 + 1, '\0'); // OpenSSL writes a NUL at the end
  size_t size = 0;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), bytes_at_once))) {
    auto piece = bytes.substr(0, bytes_at_once);
    size += static_cast<size_t>(
      EVP_EncodeBlock(bytes_of(result, size), bytes_of(piece), static_cast<int>(piece.size())));
  }
  result.resize(size);
  return result;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string result(text.size() / 4 * 3 + 3, '\0');
  size_t size = 0;
  for (auto rest = text; !rest.empty(); rest.remove_prefix(std::min(rest.size(), digits_at_once))) {
    auto piece = rest.substr(0, digits_at_once);
    auto count =
      EVP_DecodeBlock(bytes_of(result, size), bytes_of(piece), static_cast<int>(piece.size()));
    if (count < 0)
      return std::nullopt;
    size += static_cast<size_t>(count);
  }
  auto padding = text.ends_with("==") ? 2u : text.ends_with('=') ? 1u : 0u;
  result.resize(size - std::min<size_t>(size, padding));
  if (to_base64(result) != text) // OpenSSL accepts more than the standard
    return std::nullopt;
  return result;
}

} // namespace scratchpage
