#pragma once

#include "scratchpage/messages/time.hpp"

namespace scratchpage::cluster {

/// The time of the store, as the pages of all nodes use it, so that an observation expires at one
/// time wherever its page is. Each beat brings the store's clock, which stood somewhere between the
/// moment when the beat was sent and the moment when it was answered.
///
/// The time never goes back. Where the store's clock was set, or the store is another one, the time
/// approaches it at a bounded pace, so that no page sees a jump: nothing expires early because a
/// clock was set, and nothing late for longer than it takes to catch up.
///
/// Local times are of this machine's steady clock.
class store_time {
public:
  /// The most by which the time runs faster or slower than this machine's clock while it catches
  /// up.
  static constexpr double max_slew = 0.05;

  /// The first answer sets the time; later ones correct it.
  void note(timespan sent, timestamp store, timespan answered);

  bool is_known() const { return is_known_; }

  /// The time now; @pre it is known, and `local` is not before the time of an earlier call.
  timestamp at(timespan local);

  /// By how much the time is ahead of the last answer's clock, at least; negative: behind. Zero
  /// while the answer does not tell any difference.
  timespan error() const { return error_; }

private:
  timespan offset_at(timespan local) const;

  bool is_known_ = false;
  timespan offset_{};  // the store's time minus the local one, as given out at `since_`
  timespan since_{};   // local
  timespan error_{};   // what is left to correct, at `since_`
  timestamp latest_{}; // that was given out
};

} // namespace scratchpage::cluster
