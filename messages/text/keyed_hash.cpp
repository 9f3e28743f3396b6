#include "scratchpage/messages/text/keyed_hash.hpp"

#include <cerrno>
#include <system_error>

#include <sys/random.h>

// Most of what is hashed is a word: a call into the library would take longer than its hash.
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

uint64_t keyed_hash(std::string_view text) {
  static const uint64_t seed = random_seed();
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

} // namespace scratchpage
