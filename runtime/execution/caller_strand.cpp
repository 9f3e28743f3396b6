#include "scratchpage/runtime/execution/caller_strand.hpp"

#include <utility>

namespace scratchpage {

caller_strand::caller_strand(std::shared_ptr<const clock> clock)
  : clock_{std::move(clock)},
    time_{[this] { look_after_time(); }} {}

caller_strand::~caller_strand() {
  stop();
}

void caller_strand::stop() {
  std::deque<std::function<void()>> dropped;
  std::multimap<when, std::function<void()>> never;
  {
    lock_type lock{guard_};
    ends_ = true;
    dropped.swap(ready_);
    never.swap(later_);
    changed_.notify_all();
  }
  dropped.clear(); // what they hold ends outside of the lock
  never.clear();
  {
    lock_type lock{guard_};
    changed_.wait(lock, [this] { return !runs_; });
  }
  if (time_.joinable())
    time_.join();
}

void caller_strand::post(std::function<void()> work) {
  lock_type lock{guard_};
  if (ends_)
    return;
  ready_.push_back(std::move(work));
  run(lock);
}

void caller_strand::after(timespan delay, std::function<void()> work) {
  lock_type lock{guard_};
  if (ends_)
    return;
  later_.emplace(std::chrono::steady_clock::now() + delay, std::move(work));
  changed_.notify_all();
}

/// What is ready, unless somebody does so already.
void caller_strand::run(lock_type& lock) {
  if (runs_)
    return;
  runs_ = true;
  while (!ready_.empty()) {
    auto work = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    work();
    work = {}; // what it holds ends outside of the lock
    lock.lock();
  }
  runs_ = false;
  if (ends_)
    changed_.notify_all();
}

void caller_strand::look_after_time() {
  lock_type lock{guard_};
  while (!ends_) {
    if (later_.empty()) {
      changed_.wait(lock);
    } else if (auto first = later_.begin(); first->first > std::chrono::steady_clock::now()) {
      auto at = first->first; // it may be gone when the time has come
      changed_.wait_until(lock, at);
    } else {
      ready_.push_back(std::move(first->second));
      later_.erase(first);
      run(lock);
    }
  }
}

} // namespace scratchpage
