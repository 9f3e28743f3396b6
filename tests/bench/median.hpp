#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace scratchpage::bench {

/// The median; of an even number of values the higher middle one. `xs` must not be empty.
inline double median(std::vector<double> xs) {
  auto middle = xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 2);
  std::nth_element(xs.begin(), middle, xs.end());
  return *middle;
}

} // namespace scratchpage::bench
