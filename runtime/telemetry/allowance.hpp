#pragma once

#include <algorithm>
#include <chrono>

namespace scratchpage::telemetry {

/// So many a second, and so many at once after a pause: a bucket of tokens.
class allowance {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Full at first.
  allowance(double per_second, double at_once, time_point now)
    : per_second_{per_second},
      at_once_{at_once},
      left_{at_once},
      refilled_{now} {}

  /// False if there is none left. Time never goes back: what is earlier than before is as
  /// late as that.
  bool take(time_point now) {
    now = std::max(now, refilled_);
    auto passed = std::chrono::duration<double>(now - refilled_).count();
    refilled_ = now;
    left_ = std::min(at_once_, left_ + passed * per_second_);
    if (left_ < 1)
      return false;
    left_ -= 1;
    return true;
  }

private:
  double per_second_;
  double at_once_;
  double left_;
  time_point refilled_;
};

} // namespace scratchpage::telemetry
