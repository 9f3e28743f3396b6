#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "scratchpage/runtime/execution/strand.hpp"

namespace scratchpage {

/// A strand that runs on the threads of those who post to it: whoever finds it idle runs
/// what is there, so that nobody has to be woken; whoever finds it busy leaves the work
/// to the one who runs. Work must not wait for anything, for it holds up somebody else's
/// thread.
class caller_strand : public strand {
public:
  explicit caller_strand(std::shared_ptr<const clock> clock);
  caller_strand(const caller_strand&) = delete;
  caller_strand& operator=(const caller_strand&) = delete;
  ~caller_strand() override;

  /// Ends it after what runs: what has not begun is dropped, and what waits for its
  /// time, too. Not from the strand itself.
  void stop();

  void post(std::function<void()> work) override;
  void after(timespan delay, std::function<void()> work) override;
  timestamp now() const override { return clock_->now(); }

private:
  using when = std::chrono::steady_clock::time_point;
  using lock_type = std::unique_lock<std::mutex>;

  void run(lock_type& lock);
  void look_after_time();

  std::shared_ptr<const clock> clock_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> ready_;
  std::multimap<when, std::function<void()>> later_;
  bool runs_ = false;
  bool ends_ = false;
  std::thread time_; ///< posts what was for later
};

} // namespace scratchpage
