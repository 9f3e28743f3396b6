#include "scratchpage/runtime/execution/actor_guest.hpp"

#include <algorithm>
#include <utility>

namespace scratchpage {

namespace {

thread_local actor_guest* here = nullptr;

/// An actor that has more to do than that lets others run in between.
constexpr size_t messages_at_once = 16;
/// Who blocks a guest has others run it soon: the guest has a client of its own.
constexpr size_t messages_of_blocking = 4;

} // namespace

actor_guest::actor_guest(std::function<void()> on_ready, std::function<bool()> may_block)
  : on_ready_{std::move(on_ready)},
    may_block_{std::move(may_block)} {
  here = this;
}

actor_guest::~actor_guest() {
  here = nullptr;
  for (auto* x : waiting_)
    x->leave();
}

bool actor_guest::takes(lane which) const {
  return which == lane::quick || (may_block_ && may_block_());
}

bool actor_guest::comes_by(job_queue& from, lane which) {
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

void actor_guest::run(visit how) {
  runs_ = true;
  auto now = std::chrono::steady_clock::now();
  const auto until = now + how.within;
  for (size_t i = 0; i < waiting_.size();) {
    if (run_some(*waiting_[i], how.most, until, now)) // others may come to wait meanwhile
      waiting_.erase(waiting_.begin() + static_cast<ptrdiff_t>(i));
    else
      ++i;
  }
  runs_ = false;
  was_long_ = now >= until;
  if (!waiting_.empty())
    on_ready_();
}

/// Whether that was all for this guest. Workers that are idle take what it has no time for.
bool actor_guest::run_some(job_queue& of, size_t most, time_point until, time_point& now) const {
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

size_t actor_guest::messages_of(bool is_blocking) const {
  if (was_long_)
    return 1;
  return is_blocking ? messages_of_blocking : messages_at_once;
}

job_queue::job actor_guest::take(job_queue& from, bool& is_blocking) const {
  if (auto* job = from.try_take(lane::quick))
    return job;
  is_blocking = takes(lane::blocking);
  return is_blocking ? from.try_take(lane::blocking) : nullptr;
}

} // namespace scratchpage
