#pragma once

#include <functional>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Where something runs that only one piece of work may touch at a time. All of it
/// may be called from any thread.
class strand {
public:
  virtual ~strand() = default;

  /// Runs `work` after all that was posted before. Dropped if the strand ends first.
  virtual void post(std::function<void()> work) = 0;

  /// Runs `work` when `delay` has passed.
  virtual void after(timespan delay, std::function<void()> work) = 0;

  virtual timestamp now() const = 0;
};

} // namespace scratchpage
