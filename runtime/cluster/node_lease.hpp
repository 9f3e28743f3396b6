#pragma once

#include <algorithm>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::cluster {

/// How much the clocks of two machines may differ in their pace.
inline constexpr double pace_tolerance = 0.01;

/// The lease of this node. While it is good, no other node has the pages of this one, so that this
/// node may answer reads from them. Writes need no lease: the store refuses those of an older
/// claim.
///
/// All times are of a clock of this machine that never goes back and goes on while the machine
/// sleeps (`CLOCK_BOOTTIME`). No time of another machine is used.
class node_lease {
public:
  /// What the lease ends before others may say so, beside the tolerance of the clocks' pace. It
  /// covers what happens between the look at the clock and the answer.
  static constexpr timespan margin = std::chrono::milliseconds{250};

  /// `length` is what the node's row tells the others; @pre longer than the margin.
  explicit node_lease(timespan length)
    : length_{length} {}

  /// A beat has succeeded that was sent at that time. What counts is the time before it was sent:
  /// the others may have seen it since.
  void extend(timespan sent) {
    if (!has_begun_ || sent > last_)
      last_ = sent;
    has_begun_ = true;
  }

  /// The node was declared down, or its row is gone: the lease is over, and does not come back.
  void end() { is_over_ = true; }

  /// Whether what was read before `now` may be answered. The owner looks at the clock after it has
  /// read, so that a process that was stopped in between answers nothing stale.
  bool is_good(timespan now) const { return has_begun_ && !is_over_ && now < good_until(); }

  /// When the lease ends if no further beat succeeds; @pre a beat has succeeded.
  timespan good_until() const { return last_ + usable(); }

private:
  timespan usable() const {
    auto tolerance = std::chrono::duration_cast<timespan>(length_ * pace_tolerance);
    return std::max(timespan::zero(), length_ - tolerance - margin);
  }

  timespan length_;
  timespan last_{}; // when the last beat that succeeded was sent
  bool has_begun_ = false;
  bool is_over_ = false;
};

} // namespace scratchpage::cluster
