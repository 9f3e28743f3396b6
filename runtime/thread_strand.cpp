#include "scratchpage/runtime/thread_strand.hpp"

#include <utility>

namespace scratchpage {

thread_strand::thread_strand(std::shared_ptr<const clock> clock)
  : clock_{std::move(clock)},
    thread_{[this] { run(); }} {}

thread_strand::~thread_strand() {
  stop();
}

void thread_strand::stop() {
  std::deque<std::function<void()>> dropped;
  std::multimap<when, std::function<void()>> never;
  {
    std::lock_guard lock{guard_};
    ends_ = true;
    dropped.swap(ready_);
    never.swap(later_);
    changed_.notify_one();
  }
  if (thread_.joinable())
    thread_.join();
}

void thread_strand::post(std::function<void()> work) {
  {
    std::lock_guard lock{guard_};
    if (ends_)
      return;
    ready_.push_back(std::move(work));
  }
  changed_.notify_one(); // who wakes up need not wait for the lock
}

void thread_strand::after(timespan delay, std::function<void()> work) {
  std::lock_guard lock{guard_};
  if (ends_)
    return;
  later_.emplace(std::chrono::steady_clock::now() + delay, std::move(work));
  changed_.notify_one();
}

void thread_strand::run() {
  std::unique_lock lock{guard_};
  while (auto work = next(lock)) {
    lock.unlock();
    work();
    work = {}; // what it holds ends outside of the lock
    lock.lock();
  }
}

/// What is due, when something is; nothing at the end.
std::function<void()> thread_strand::next(std::unique_lock<std::mutex>& lock) {
  while (!ends_) {
    if (!ready_.empty()) {
      auto result = std::move(ready_.front());
      ready_.pop_front();
      return result;
    }
    if (later_.empty()) {
      changed_.wait(lock);
      continue;
    }
    auto first = later_.begin();
    if (first->first > std::chrono::steady_clock::now()) {
      changed_.wait_until(lock, first->first);
      continue;
    }
    auto result = std::move(first->second);
    later_.erase(first);
    return result;
  }
  return {};
}

} // namespace scratchpage
