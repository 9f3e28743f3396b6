#include "scratchpage/runtime/execution/sparing_clock.hpp"

#if CAF_MAJOR_VERSION < 1

#include <utility>
#include <vector>

namespace scratchpage {

caf::disposable sparing_clock::schedule_periodically(
  time_point first_run, caf::action f, duration_type period) {
  if (period > duration_type::zero())
    return repeating_.schedule_periodically(first_run, std::move(f), period);
  auto result = f.as_disposable();
  std::vector<caf::action> disposed; // destroyed without the lock
  {
    std::lock_guard lock{guard_};
    if (ends_)
      return result;
    waiting_.add(first_run, std::move(f));
    disposed = waiting_.take_disposed();
    if (sleeps_until_ && first_run < *sleeps_until_) {
      sleeps_until_ = first_run;
      ++wakes_;
      changed_.notify_one();
    }
  }
  return result;
}

void sparing_clock::run() {
  std::unique_lock lock{guard_};
  while (!ends_) {
    auto first = waiting_.first();
    if (!first || *first > now()) {
      sleeps_until_ = first.value_or(time_point::max());
      // Not by a look at the first action: that may be swept again before this thread sees it, but
      // then `sleeps_until_` is too early already, and later actions would not wake the thread.
      auto is_woken = [this, before = wakes_] { return ends_ || wakes_ != before; };
      if (first)
        changed_.wait_until(lock, *first, is_woken);
      else
        changed_.wait(lock, is_woken);
      sleeps_until_.reset();
      continue;
    }
    auto due = waiting_.take_due(now());
    lock.unlock();
    for (auto& x : due)
      if (!x.disposed())
        x.run();
    due.clear(); // without the lock: that may end an actor
    lock.lock();
  }
}

void sparing_clock::stop() {
  delayed_actions dropped; // destroyed without the lock
  std::lock_guard lock{guard_};
  ends_ = true;
  std::swap(dropped, waiting_);
  changed_.notify_all();
}

uint64_t sparing_clock::wakes() const {
  std::lock_guard lock{guard_};
  return wakes_;
}

} // namespace scratchpage

#endif
