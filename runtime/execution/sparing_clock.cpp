#include "scratchpage/runtime/execution/sparing_clock.hpp"

#if CAF_MAJOR_VERSION < 1

#include <utility>
#include <vector>

namespace scratchpage {

/// Actions that are repeated are rare: the waker repeats them.
caf::disposable sparing_clock::schedule_periodically(
  time_point first_run, caf::action f, duration_type period) {
  if (period > duration_type::zero())
    return waker_.schedule_periodically(first_run, std::move(f), period);
  auto result = f.as_disposable();
  std::vector<caf::action> disposed; // destroyed without the lock
  std::optional<time_point> next;
  {
    std::lock_guard lock{guard_};
    waiting_.add(first_run, std::move(f));
    disposed = waiting_.take_disposed();
    next = next_to_arm();
  }
  arm(next);
  return result;
}

void sparing_clock::run_due() {
  std::vector<caf::action> due;
  std::optional<time_point> next;
  {
    std::lock_guard lock{guard_};
    armed_for_.reset();
    due = waiting_.take_due(waker_.now());
    next = next_to_arm();
  }
  arm(next);
  for (auto& x : due)
    if (!x.disposed())
      x.run();
}

/// When the waker has to be told to wake; nothing if it wakes early enough. The caller has the
/// lock.
std::optional<sparing_clock::time_point> sparing_clock::next_to_arm() {
  auto first = waiting_.first();
  if (!first || (armed_for_ && *armed_for_ <= *first))
    return std::nullopt;
  armed_for_ = first;
  return first;
}

void sparing_clock::arm(std::optional<time_point> at) {
  if (at)
    waker_.schedule(*at, caf::make_action([this] { run_due(); }));
}

} // namespace scratchpage

#endif
