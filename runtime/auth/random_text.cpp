#include "scratchpage/runtime/auth/random_text.hpp"

#include <cstdlib>
#include <vector>

#include <openssl/rand.h>

namespace scratchpage::mcp {

void fill_random(std::span<unsigned char> out) {
  if (RAND_bytes(out.data(), static_cast<int>(out.size())) != 1)
    std::abort(); // keys that can be guessed are worse
}

std::string random_text(size_t bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::vector<unsigned char> raw(bytes);
  fill_random(raw);
  std::string result;
  result.reserve(2 * bytes);
  for (auto x : raw) {
    result.push_back(digits[x >> 4u]);
    result.push_back(digits[x & 15u]);
  }
  return result;
}

} // namespace scratchpage::mcp
