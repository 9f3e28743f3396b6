#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace scratchpage::bench {

/// Measures this thread's processor time, in nanoseconds.
class stopwatch {
public:
  double ns() const { return read() - start_; }

private:
  static double read() {
    timespec x{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &x);
    return static_cast<double>(x.tv_sec) * 1e9 + static_cast<double>(x.tv_nsec);
  }

  double start_ = read();
};

/// The quantile `q`, from 0 to 1, of values, of which there is at least one.
inline double quantile(std::vector<double> xs, double q) {
  auto i = static_cast<size_t>(q * static_cast<double>(xs.size() - 1));
  std::nth_element(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(i), xs.end());
  return xs[i];
}

} // namespace scratchpage::bench
