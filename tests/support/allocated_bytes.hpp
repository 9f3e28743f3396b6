#pragma once

#include <cstddef>

#include <malloc.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace scratchpage::test {

/// Bytes that the program has allocated and not freed.
inline size_t allocated_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return __sanitizer_get_current_allocated_bytes();
#else
  auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

} // namespace scratchpage::test
