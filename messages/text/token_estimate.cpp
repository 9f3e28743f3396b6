#include "scratchpage/messages/text/token_estimate.hpp"

#include <algorithm>
#include <limits>

namespace scratchpage {

namespace {

bool is_space(unsigned char x) {
  return x <= ' ';
}

bool is_letter(unsigned char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z');
}

/// In thirds of a token.
uint64_t cost_of(unsigned char x) {
  if (x >= 0x80)
    return 2;
  return is_letter(x) || is_space(x) ? 1 : 3;
}

} // namespace

uint32_t estimate_tokens(std::string_view text) {
  uint64_t thirds_by_bytes = 0;
  uint64_t words = 0;
  bool in_word = false;
  for (auto c : text) {
    auto x = static_cast<unsigned char>(c);
    thirds_by_bytes += cost_of(x);
    words += !is_space(x) && !in_word;
    in_word = !is_space(x);
  }
  auto tokens = (std::max(thirds_by_bytes, 4 * words) + 2) / 3;
  return static_cast<uint32_t>(std::min<uint64_t>(tokens, std::numeric_limits<uint32_t>::max()));
}

} // namespace scratchpage
