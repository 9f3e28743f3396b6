#include "scratchpage/runtime/execution/job_queue.hpp"

#include <algorithm>

#include <caf/execution_unit.hpp>

#include "scratchpage/runtime/execution/actor_guest.hpp"

namespace scratchpage {

namespace {

/// Where actors that run find their queue.
class unit final : public caf::execution_unit {
public:
  explicit unit(job_queue& of)
    : execution_unit{&of.system()},
      queue_{of} {}

  void exec_later(caf::resumable* x) override { queue_.add(x); }

private:
  job_queue& queue_;
};

} // namespace

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

void job_queue::add(job x) {
  std::unique_lock lock{guard_};
  auto which = lane_of(x);
  auto& to = at(which);
  to.ready.push_back(x);
  auto is_only_one = to.ready.size() == 1;
  auto is_somebody_idle = to.idle > 0;
  lock.unlock();
  auto comes_by = actor_guest::comes_by(*this, which);
  if (is_somebody_idle && !(comes_by && is_only_one))
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
  if (of.idle > 0 && !of.ready.empty())
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

/// An actor does not end a visit by itself before it has handled as many messages as it may, so it
/// is told to handle them one by one.
caf::resumable::resume_result resume(
  const slow_jobs& of, const slow_jobs::visit& x, caf::execution_unit* on, size_t most_messages) {
  auto result = caf::resumable::resume_later;
  for (size_t i = 0; i < most_messages && result == caf::resumable::resume_later; ++i) {
    if (i > 0 && of.is_long(x))
      break;
    result = x.of->resume(on, 1);
  }
  return result;
}

slow_jobs::time_point run_job(
  job_queue& of, job_queue::job x, size_t most_messages, slow_jobs::time_point now) {
  unit here{of};
  auto visit = of.slow().begin(x, now);
  auto result = resume(of.slow(), visit, &here, most_messages);
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
  case caf::resumable::shutdown_execution_unit: // tells one of CAF's workers to end, and will again
    break;
  }
  return ended;
}

} // namespace scratchpage
