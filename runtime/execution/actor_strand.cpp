#include "scratchpage/runtime/execution/actor_strand.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

/// Work that waits. Functions are no messages: the actor is only told that there is
/// some.
class actor_strand::inbox {
public:
  /// Whether nobody was told yet.
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
    std::vector<work_of> dropped; // outside of the lock: they may own anything
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

} // namespace scratchpage
