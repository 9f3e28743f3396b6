#include "scratchpage/runtime/execution/job_queue.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace scratchpage {

namespace {

/// The processor time of this thread. Unlike other clocks, this one needs a system call.
std::chrono::nanoseconds time_of_thread() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

/// Gives running actors their queue.
#if CAF_MAJOR_VERSION >= 1
class unit final : public running_on {
public:
  explicit unit(job_queue& of)
    : queue_{of} {}

  void schedule(caf::resumable* x) override { queue_.add(x); }
  void delay(caf::resumable* x) override { queue_.add(x); }
  void start() override {}
  void stop() override {}

private:
  job_queue& queue_;
};
#else
class unit final : public running_on {
public:
  explicit unit(job_queue& of)
    : execution_unit{&of.system()},
      queue_{of} {}

  void exec_later(caf::resumable* x) override { queue_.add(x); }

private:
  job_queue& queue_;
};
#endif

thread_local inline_executor* here = nullptr;

/// Messages that an actor handles in one visit.
constexpr size_t messages_at_once = 16;
/// The same for an actor that blocks: the thread has clients of its own that wait.
constexpr size_t messages_of_blocking = 4;

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

job_queue::job_queue(caf::actor_system& system, std::chrono::nanoseconds longest_visit)
  : system_{system},
    slow_{longest_visit} {}

void job_queue::set_apart(job x) {
  std::lock_guard lock{guard_};
  apart_.push_back(x);
}

lane job_queue::lane_of(job x) const {
  auto is_apart = std::find(apart_.begin(), apart_.end(), x) != apart_.end();
  if (is_apart)
    return lane::blocking;
  auto has_slow_lane = !lanes_[static_cast<size_t>(lane::slow)].ends;
  return has_slow_lane && slow_.is_slow(x) ? lane::slow : lane::quick;
}

void job_queue::expect_workers(lane of, size_t count) {
  std::lock_guard lock{guard_};
  at(of).workers = count;
}

void job_queue::add(job x) {
  std::unique_lock lock{guard_};
  auto which = lane_of(x);
  auto& to = at(which);
  to.ready.push_back(x);
  auto is_needed = to.needs_idle_one(0);
  auto is_needed_beside_this = to.needs_idle_one(1);
  lock.unlock();
  auto claim = inline_executor::claim(*this, which);
  if (claim ? is_needed_beside_this : is_needed)
    to.changed.notify_one();
}

job_queue::job job_queue::take_first(jobs& from) {
  auto* result = from.ready.front();
  from.ready.pop_front();
  return result;
}

job_queue::job job_queue::take(lane from) {
  auto& all = at(from);
  std::unique_lock lock{guard_};
  ++all.idle;
  all.changed.wait(lock, [&] { return !all.ready.empty() || all.ends; });
  --all.idle;
  return all.ready.empty() ? nullptr : take_first(all);
}

job_queue::job job_queue::try_take(lane from) {
  auto& all = at(from);
  std::lock_guard lock{guard_};
  if (all.ready.empty())
    return nullptr;
  auto* result = take_first(all);
  wake_if_idle(all);
  return result;
}

void job_queue::wake_if_idle(jobs& of) {
  if (of.needs_idle_one(0))
    of.changed.notify_one();
}

void job_queue::leave() {
  std::lock_guard lock{guard_};
  for (auto& x : lanes_)
    wake_if_idle(x);
}

void job_queue::end(lane x) {
  std::lock_guard lock{guard_};
  at(x).ends = true;
  at(x).changed.notify_all();
}

size_t job_queue::idle(lane x) const {
  std::lock_guard lock{guard_};
  return lanes_[static_cast<size_t>(x)].idle;
}

/// An actor ends a visit only when it has handled as many messages as it may. So it handles them
/// one by one, and the time is checked in between.
caf::resumable::resume_result resume(
  const slow_jobs& of, const slow_jobs::visit& x, running_on* on, size_t max_messages) {
  auto result = caf::resumable::resume_later;
  for (size_t i = 0; i < max_messages && result == caf::resumable::resume_later; ++i) {
    if (i > 0 && of.is_long(x))
      break;
    result = x.of->resume(on, 1);
  }
  return result;
}

slow_jobs::time_point run_job(
  job_queue& of, job_queue::job x, size_t max_messages, slow_jobs::time_point now) {
  unit here{of};
  auto visit = of.slow().begin(x, now);
  auto result = resume(of.slow(), visit, &here, max_messages);
  auto ended = of.slow().end(visit);
  switch (result) {
  case caf::resumable::resume_later:
    of.add(x);
    break;
  case caf::resumable::done:
    of.slow().forget(x);
    caf::intrusive_ptr_release(x);
    break;
  case caf::resumable::awaiting_message:
    caf::intrusive_ptr_release(x);
    break;
  case caf::resumable::shutdown_execution_unit: // meant for CAF's own workers, which get it again
    break;
  }
  return ended;
}

inline_executor::inline_executor(std::function<void()> on_ready, std::function<bool()> may_block)
  : on_ready_{std::move(on_ready)},
    may_block_{std::move(may_block)} {
  here = this;
}

inline_executor::~inline_executor() {
  here = nullptr;
  for (auto* x : waiting_)
    x->leave();
}

bool inline_executor::takes(lane which) const {
  return which == lane::quick || (may_block_ && may_block_());
}

bool inline_executor::claim(job_queue& from, lane which) {
  if (here == nullptr || !here->takes(which))
    return false;
  auto& all = here->waiting_;
  if (std::find(all.begin(), all.end(), &from) != all.end())
    return true;
  all.push_back(&from);
  if (all.size() == 1 && !here->runs_)
    here->on_ready_();
  return true;
}

void inline_executor::run(visit how) {
  runs_ = true;
  auto now = std::chrono::steady_clock::now();
  const auto until = now + how.within;
  for (size_t i = 0; i < waiting_.size();) {
    if (run_some(*waiting_[i], how.most, until, now)) // `waiting_` may grow meanwhile
      waiting_.erase(waiting_.begin() + static_cast<ptrdiff_t>(i));
    else
      ++i;
  }
  runs_ = false;
  was_long_ = now >= until;
  if (!waiting_.empty())
    on_ready_();
}

/// Whether there are no more actors for this thread. Idle workers take what is left.
bool inline_executor::run_some(
  job_queue& of, size_t most, time_point until, time_point& now) const {
  for (size_t i = 0; i < most; ++i) {
    auto is_blocking = false;
    auto* job = take(of, is_blocking);
    if (job == nullptr) {
      of.leave();
      return true;
    }
    now = run_job(of, job, messages_of(is_blocking), now);
    if (now >= until)
      break;
  }
  of.leave();
  return false;
}

size_t inline_executor::messages_of(bool is_blocking) const {
  if (was_long_)
    return 1;
  return is_blocking ? messages_of_blocking : messages_at_once;
}

job_queue::job inline_executor::take(job_queue& from, bool& is_blocking) const {
  if (auto* job = from.try_take(lane::quick))
    return job;
  is_blocking = takes(lane::blocking);
  return is_blocking ? from.try_take(lane::blocking) : nullptr;
}

} // namespace scratchpage
