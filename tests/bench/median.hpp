#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace scratchpage::bench {

/// The middle one of what is not empty, of an even number the higher of the two.
inline double median(std::vector<double> xs) {
  auto middle = xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 2);
  std::nth_element(xs.begin(), middle, xs.end());
  return *middle;
}

} // namespace scratchpage::bench
