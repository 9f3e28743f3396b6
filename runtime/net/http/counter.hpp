#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::http {

/// How many of something there are, and at most may be.
class counter {
public:
  explicit counter(uint64_t most)
    : most_{most} {}

  /// False if there are as many as may be.
  bool enter() {
    std::lock_guard lock{mutex_};
    if (count_ >= most_)
      return false;
    ++count_;
    return true;
  }

  void leave() {
    std::lock_guard lock{mutex_};
    if (--count_ == 0)
      empty_.notify_all();
  }

  uint64_t count() const {
    std::lock_guard lock{mutex_};
    return count_;
  }

  /// False if `within` was not enough.
  bool wait_until_empty(timespan within) {
    std::unique_lock lock{mutex_};
    return empty_.wait_for(lock, within, [this] { return count_ == 0; });
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  uint64_t count_ = 0;
  uint64_t most_;
};

/// A sum that several share; no more than so much of it is given out.
class budget {
public:
  explicit budget(uint64_t most)
    : left_{most} {}

  bool take(uint64_t amount) {
    auto left = left_.load();
    while (left >= amount)
      if (left_.compare_exchange_weak(left, left - amount))
        return true;
    return false;
  }

  void give(uint64_t amount) { left_ += amount; }

private:
  std::atomic<uint64_t> left_;
};

/// One of what is counted, for as long as it lasts; may be none.
class place {
public:
  place() = default;
  explicit place(counter& of)
    : of_{of.enter() ? &of : nullptr} {}
  place(place&& x) noexcept
    : of_{std::exchange(x.of_, nullptr)} {}
  place& operator=(place&& x) noexcept {
    std::swap(of_, x.of_);
    return *this;
  }
  ~place() { release(); }

  explicit operator bool() const { return of_ != nullptr; }

  void release() {
    if (auto* of = std::exchange(of_, nullptr))
      of->leave();
  }

private:
  counter* of_ = nullptr;
};

} // namespace scratchpage::http
