#include "scratchpage/runtime/cli/allocator.hpp"

#include <cstdlib> // defines __GLIBC__ where it is so

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace scratchpage {

void calm_allocator() {
#ifdef __GLIBC__
  constexpr int half_a_gib = 1 << 29;
  // NOLINTBEGIN(concurrency-mt-unsafe): before there are threads
  mallopt(M_MXFAST, 0); // the per-thread cache still serves small blocks
  mallopt(M_TRIM_THRESHOLD, half_a_gib);
  // NOLINTEND(concurrency-mt-unsafe)
#endif
}

} // namespace scratchpage
