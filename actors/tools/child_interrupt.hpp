#pragma once

#include <atomic>

#include "scratchpage/actors/tools/unique_fd.hpp"

namespace scratchpage {

/// Ends another thread's `child_process::exchange`. `cancel` and `stop` may be
/// called from any thread, the rest is for the exchanging one.
class child_interrupt {
public:
  child_interrupt();

  /// The exchange that is under way, if any, ends as if its time had run out.
  void cancel();

  /// This exchange and all later ones end as `stopped`.
  void stop();

  /// Forgets a cancellation that came too late for the exchange before.
  void begin_exchange();

  bool is_cancelled() const { return cancelled_; }
  bool is_stopped() const { return stopped_; }

  /// To poll for reading: both wake it. `drain` lets it sleep again.
  int fd() const { return pipe_.read.get(); }
  void drain();

private:
  void wake();

  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> stopped_ = false;
  pipe_ends pipe_;
};

} // namespace scratchpage
