#include "scratchpage/messages/text/key_text.hpp"

#include <cerrno>
#include <system_error>

#include <sys/random.h>

#include "scratchpage/messages/text/utf8.hpp"

// The hash is inlined: most texts are short words, and a call into the library would take longer
// than the hash itself.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scratchpage {

namespace {

uint64_t random_seed() {
  uint64_t result = 0;
  if (::getrandom(&result, sizeof result, 0) != static_cast<ssize_t>(sizeof result))
    throw std::system_error{errno, std::generic_category(), "random bits of the system"};
  return result;
}

} // namespace

bool is_key_text(std::string_view x) {
  return utf8::is_valid(x) && x.find('\0') == std::string_view::npos;
}

std::string as_key_text(std::string_view x) {
  std::string result;
  while (true) {
    auto nul = x.find('\0');
    result += x.substr(0, nul);
    if (nul == std::string_view::npos)
      return result;
    result += "\uFFFD";
    x.remove_prefix(nul + 1);
  }
}

uint64_t keyed_hash(std::string_view text) {
  static const uint64_t seed = random_seed();
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

} // namespace scratchpage
