#include "scratchpage/runtime/execution/blocking_pool.hpp"

#include <algorithm>

#include "scratchpage/messages/threads.hpp"

#if CAF_MAJOR_VERSION < 1
#include <caf/logger.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>
#endif

namespace scratchpage {

namespace {

#if CAF_MAJOR_VERSION < 1

/// Messages that an actor of a pool handles before another one gets the thread.
constexpr size_t pooled_at_once = 16;

/// Passes actors that an actor of a pool makes ready to the scheduler of their system.
class way_out final : public caf::execution_unit {
public:
  explicit way_out(caf::actor_system& system)
    : execution_unit{&system} {}

  void exec_later(caf::resumable* x) override { system().scheduler().enqueue(x); }
};

/// Holds the logger of a system while this thread works for it. The end of the system waits for
/// that; without it, a system could end while the thread still tells it that an actor has ended.
class stay_in_system {
public:
  explicit stay_in_system(caf::actor_system& x) { caf::logger::set_current_actor_system(&x); }
  stay_in_system(const stay_in_system&) = delete;
  stay_in_system& operator=(const stay_in_system&) = delete;
  ~stay_in_system() { caf::logger::set_current_actor_system(nullptr); }
};

/// Runs an actor for one visit. Whether it has more to do.
bool visit(caf::scheduled_actor* x) {
  stay_in_system stay{x->home_system()};
  way_out others{x->home_system()};
  auto result = x->resume(&others, pooled_at_once);
  if (result == caf::resumable::resume_later)
    return true;
  if (result != caf::resumable::shutdown_execution_unit)
    caf::intrusive_ptr_release(x->ctrl());
  return false;
}

#else

bool visit(caf::scheduled_actor*) {
  return false; // no actor is in a pool
}

#endif

} // namespace

struct blocking_pool::state {
  mutable std::mutex guard;
  std::condition_variable changed;
  std::deque<caf::scheduled_actor*> ready;
  std::vector<std::thread> threads;
  size_t most_threads;
  size_t idle = 0;
  bool ends = false;
};

size_t blocking_pool::usual_threads() {
  return std::max(std::thread::hardware_concurrency(), 1u) + threads_beyond_cores;
}

blocking_pool::blocking_pool(size_t most_threads)
  : state_{std::make_shared<state>()} {
  state_->most_threads = std::max<size_t>(most_threads, 1);
  state_->threads.push_back(require_thread([x = state_] { run(x); }));
}

blocking_pool::~blocking_pool() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock{state_->guard};
    state_->ends = true;
    threads.swap(state_->threads);
  }
  state_->changed.notify_all();
  for (auto& x : threads)
    if (x.get_id() == std::this_thread::get_id()) // it cannot wait for itself
      x.detach();
    else
      x.join();
}

void blocking_pool::add(caf::scheduled_actor* x) {
  std::lock_guard lock{state_->guard};
  auto& all = *state_;
  all.ready.push_back(x);
  all.changed.notify_one();
  if (all.ready.size() <= all.idle || all.threads.size() >= all.most_threads || all.ends)
    return;
  if (auto started = start_thread([shared = state_] { run(shared); })) // else the others do it
    all.threads.push_back(std::move(*started));
}

size_t blocking_pool::threads() const {
  std::lock_guard lock{state_->guard};
  return state_->threads.size();
}

void blocking_pool::run(const std::shared_ptr<state>& x) {
  take_short_turns();
  std::unique_lock lock{x->guard};
  while (true) {
    ++x->idle;
    x->changed.wait(lock, [&] { return !x->ready.empty() || x->ends; });
    --x->idle;
    if (x->ready.empty())
      return;
    auto* next = x->ready.front();
    x->ready.pop_front();
    lock.unlock();
    auto has_more = visit(next);
    lock.lock();
    if (has_more)
      x->ready.push_back(next);
  }
}

} // namespace scratchpage
