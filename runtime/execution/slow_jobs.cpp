#include "scratchpage/runtime/execution/slow_jobs.hpp"

#include <ctime>

namespace scratchpage {

namespace {

/// What this thread has had of a processor. It asks the system, unlike other clocks.
std::chrono::nanoseconds time_of_thread() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

} // namespace

slow_jobs::visit slow_jobs::begin(job x, time_point now) const {
  visit result{x, now};
  if (is_watched(x))
    result.of_thread = time_of_thread();
  return result;
}

slow_jobs::time_point slow_jobs::end(const visit& x) {
  auto now = std::chrono::steady_clock::now();
  if (x.of_thread)
    note(x.of, time_of_thread() - *x.of_thread > longest_);
  else if (is_long(x, now)) {
    std::lock_guard lock{guard_};
    watched_.emplace(x.of, 0);
    are_some_watched_ = true;
  }
  return now;
}

void slow_jobs::note(job x, bool was_long) {
  std::lock_guard lock{guard_};
  auto found = watched_.find(x);
  if (found == watched_.end())
    return;
  if (was_long)
    found->second = quick_visits;
  else if (found->second <= 1)
    watched_.erase(found);
  else
    --found->second;
  are_some_watched_ = !watched_.empty();
}

void slow_jobs::forget(job x) {
  if (!are_some_watched_.load(std::memory_order_relaxed))
    return;
  std::lock_guard lock{guard_};
  watched_.erase(x);
  are_some_watched_ = !watched_.empty();
}

bool slow_jobs::is_watched(job x) const {
  if (!are_some_watched_.load(std::memory_order_relaxed))
    return false;
  std::lock_guard lock{guard_};
  return watched_.contains(x);
}

bool slow_jobs::is_slow(job x) const {
  if (!are_some_watched_.load(std::memory_order_relaxed))
    return false;
  std::lock_guard lock{guard_};
  auto found = watched_.find(x);
  return found != watched_.end() && found->second > 0;
}

} // namespace scratchpage
