#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace scratchpage {

/// Counts the steps of some work and asks every so many of them whether its time is over.
class deadline_poll {
public:
  /// An empty `out_of_time` means never.
  deadline_poll(std::function<bool()> out_of_time, size_t every)
    : out_of_time_{std::move(out_of_time)},
      every_{every} {}

  /// One more step; whether it was the last.
  bool step() {
    if (!is_over_ && ++steps_ % every_ == 0)
      is_over_ = out_of_time_ && out_of_time_();
    return is_over_;
  }

  bool is_over() const { return is_over_; }

private:
  std::function<bool()> out_of_time_;
  size_t every_;
  size_t steps_ = 0;
  bool is_over_ = false;
};

} // namespace scratchpage
