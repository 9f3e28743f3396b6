#pragma once

#include <cstddef>

namespace scratchpage {

/// The greatest number up to `most` for which `fits` holds, as it does for all
/// below it; 0 if for none.
template <class F>
size_t greatest(size_t most, F fits) {
  size_t low = 0;
  while (low < most) {
    auto middle = low + (most - low + 1) / 2;
    if (fits(middle))
      low = middle;
    else
      most = middle - 1;
  }
  return low;
}

} // namespace scratchpage
