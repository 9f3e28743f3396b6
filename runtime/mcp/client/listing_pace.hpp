#pragma once

#include <algorithm>
#include <chrono>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::mcp_client {

/// How long after one listing of a server's tools the next may begin.
struct listing_limits {
  static constexpr std::chrono::milliseconds min_pause = std::chrono::seconds{1};
  static constexpr std::chrono::milliseconds max_pause = std::chrono::minutes{1};
};

/// When the tools of a server that says that they have changed are listed again: at once, and with
/// pauses that double while they keep changing. A server that was quiet for the longest pause
/// begins anew. Times are those of a clock that nobody sets.
class listing_pace {
public:
  /// How long to wait from now on.
  timespan pause(timespan now) const { return std::max(next_ - now, timespan::zero()); }

  /// They are listed now.
  void begin(timespan now) {
    auto was_quiet = now >= next_ + listing_limits::max_pause;
    pause_ = was_quiet ? timespan{listing_limits::min_pause}
                       : std::min<timespan>(2 * pause_, listing_limits::max_pause);
    next_ = now + pause_;
  }

private:
  timespan pause_{listing_limits::min_pause};
  timespan next_{0};
};

} // namespace scratchpage::mcp_client
