#include "scratchpage/runtime/execution/strand.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

/// Work that waits for the actor. Functions cannot be messages, so the actor gets a message that
/// there is work.
class actor_strand::inbox {
public:
  /// Whether the actor has to be told: true for the first piece of work.
  bool put(work_of x) {
    std::lock_guard guard{mutex_};
    if (closed_)
      return false;
    waiting_.push_back(std::move(x));
    return waiting_.size() == 1;
  }

  std::vector<work_of> take() {
    std::lock_guard guard{mutex_};
    return std::exchange(waiting_, {});
  }

  void close() {
    std::vector<work_of> dropped; // destroyed without the lock: work may own anything
    std::lock_guard guard{mutex_};
    closed_ = true;
    dropped.swap(waiting_);
  }

private:
  std::mutex mutex_;
  std::vector<work_of> waiting_;
  bool closed_ = false;
};

class actor_strand::worker {
public:
  using handle = actor_strand::handle;
  static constexpr const char* name = "strand";

  worker(handle::pointer self, std::shared_ptr<inbox> from)
    : self_{self},
      from_{std::move(from)} {}

  handle::behavior_type make_behavior() {
    return {[this](caf::tick_atom) {
      for (auto& x : from_->take())
        x(self_);
    }};
  }

private:
  handle::pointer self_;
  std::shared_ptr<inbox> from_;
};

actor_strand::actor_strand(caf::actor_system& system, std::shared_ptr<const clock> clock)
  : clock_{std::move(clock)},
    inbox_{std::make_shared<inbox>()},
    worker_{spawn<worker>(system, inbox_)} {}

actor_strand::~actor_strand() {
  stop();
}

void actor_strand::stop() {
  inbox_->close();
  caf::anon_send_exit(caf::actor_cast<caf::actor>(worker_), caf::exit_reason::user_shutdown);
}

void actor_strand::post(std::function<void()> work) {
  put([work = std::move(work)](handle::pointer) { work(); });
}

void actor_strand::after(timespan delay, std::function<void()> work) {
  put([delay, work = std::move(work)](handle::pointer self) { self->run_delayed(delay, work); });
}

void actor_strand::put(work_of x) {
  if (inbox_->put(std::move(x)))
    anon_tell(worker_, caf::tick_atom_v);
}

inline_strand::inline_strand(std::shared_ptr<const clock> clock)
  : clock_{std::move(clock)},
    time_{[this] { look_after_time(); }} {}

inline_strand::~inline_strand() {
  stop();
}

void inline_strand::stop() {
  std::deque<std::function<void()>> dropped;
  std::multimap<when, std::function<void()>> never;
  {
    lock_type lock{guard_};
    ends_ = true;
    dropped.swap(ready_);
    never.swap(later_);
    changed_.notify_all();
  }
  dropped.clear(); // without the lock: work may own anything
  never.clear();
  {
    lock_type lock{guard_};
    changed_.wait(lock, [this] { return !runs_; });
  }
  if (time_.joinable())
    time_.join();
}

void inline_strand::post(std::function<void()> work) {
  lock_type lock{guard_};
  if (ends_)
    return;
  ready_.push_back(std::move(work));
  run(lock);
}

void inline_strand::after(timespan delay, std::function<void()> work) {
  lock_type lock{guard_};
  if (ends_)
    return;
  later_.emplace(std::chrono::steady_clock::now() + delay, std::move(work));
  changed_.notify_all();
}

/// Runs the work that is ready, unless another thread is running it.
void inline_strand::run(lock_type& lock) {
  if (runs_)
    return;
  runs_ = true;
  while (!ready_.empty()) {
    auto work = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    work();
    work = {}; // without the lock: work may own anything
    lock.lock();
  }
  runs_ = false;
  if (ends_)
    changed_.notify_all();
}

void inline_strand::look_after_time() {
  lock_type lock{guard_};
  while (!ends_) {
    if (later_.empty()) {
      changed_.wait(lock);
    } else if (auto first = later_.begin(); first->first > std::chrono::steady_clock::now()) {
      auto at = first->first; // a copy: `first` may be gone by then
      changed_.wait_until(lock, at);
    } else {
      ready_.push_back(std::move(first->second));
      later_.erase(first);
      run(lock);
    }
  }
}

} // namespace scratchpage
