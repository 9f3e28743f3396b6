#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "scratchpage/runtime/strand.hpp"

namespace scratchpage {

/// A strand that is a thread.
class thread_strand : public strand {
public:
  explicit thread_strand(std::shared_ptr<const clock> clock);
  thread_strand(const thread_strand&) = delete;
  thread_strand& operator=(const thread_strand&) = delete;
  ~thread_strand() override;

  /// Ends it after what runs: what has not begun is dropped, and what waits for its
  /// time, too. Not from the strand itself.
  void stop();

  void post(std::function<void()> work) override;
  void after(timespan delay, std::function<void()> work) override;
  timestamp now() const override { return clock_->now(); }

private:
  using when = std::chrono::steady_clock::time_point;

  void run();
  std::function<void()> next(std::unique_lock<std::mutex>& lock);

  std::shared_ptr<const clock> clock_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> ready_;
  std::multimap<when, std::function<void()>> later_;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace scratchpage
