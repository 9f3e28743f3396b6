#pragma once

#include <algorithm>
#include <chrono>

namespace scratchpage::telemetry {

/// A token bucket: limits an average rate and the size of bursts. Not thread-safe.
class token_bucket {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// A full bucket of `at_once` tokens, which gets `per_second` new ones a second.
  token_bucket(double per_second, double at_once, time_point now)
    : per_second_{per_second},
      at_once_{at_once},
      left_{at_once},
      refilled_{now} {}

  /// Takes a token; false if there is none. A `now` that is earlier than a previous one counts as
  /// that.
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
