#include "scratchpage/persistence/store/checksum.hpp"

#include <xxhash.h>

namespace scratchpage {

uint64_t checksum_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

} // namespace scratchpage
