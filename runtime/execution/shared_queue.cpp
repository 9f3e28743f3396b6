#include "scratchpage/runtime/execution/job_queue.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <caf/config.hpp>

#if CAF_MAJOR_VERSION < 1
#include <caf/policy/unprofiled.hpp>
#include <caf/scheduler/coordinator.hpp>
#endif

#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/execution/sparing_clock.hpp"

namespace scratchpage {

namespace {

/// Messages that an actor handles in one visit. Without a limit, an actor whose mailbox is never
/// empty would occupy a worker.
constexpr size_t shared_at_once = 64;

size_t worker_count() {
  return std::max(std::thread::hardware_concurrency(), 1u);
}

size_t slow_worker_count() {
  return std::max(std::thread::hardware_concurrency(), 2u) - 1;
}

#if CAF_MAJOR_VERSION < 1

/// Stands for the actor that one of CAF's workers runs, so that its visits end as those on other
/// threads do.
class visited final : public caf::resumable {
public:
  /// Stands for `x` from now on.
  void be(caf::resumable* x, slow_jobs& all) {
    all_ = &all;
    visit_.of = x;
  }

  caf::resumable* actor() const { return visit_.of; }

  subtype_t subtype() const override { return visit_.of->subtype(); }

  resume_result resume(running_on* on, size_t max_messages) override {
    visit_ = all_->begin(visit_.of);
    auto result = scratchpage::resume(*all_, visit_, on, max_messages);
    all_->end(visit_);
    return result;
  }

  void intrusive_ptr_add_ref_impl() override { visit_.of->intrusive_ptr_add_ref_impl(); }
  void intrusive_ptr_release_impl() override { visit_.of->intrusive_ptr_release_impl(); }

private:
  slow_jobs* all_ = nullptr;
  slow_jobs::visit visit_{};
};

/// The scheduling policy that makes CAF's workers share one `job_queue`.
class sharing_a_queue : public caf::policy::unprofiled {
public:
  struct coordinator_data {
    explicit coordinator_data(caf::scheduler::abstract_coordinator* of)
      : queue{of->system()} {}

    job_queue queue;
  };

  struct worker_data {
    explicit worker_data(caf::scheduler::abstract_coordinator*) {}

    bool has_begun = false;
  };

  template <class Worker>
  void after_completion(Worker* self, caf::resumable*) {
    slow_of(self).forget(visited_.actor());
  }

  template <class Coordinator>
  void central_enqueue(Coordinator* self, caf::resumable* job) {
    self->data().queue.add(job);
  }

  template <class Worker>
  void external_enqueue(Worker* self, caf::resumable* job) {
    central_enqueue(self->parent(), job);
  }

  template <class Worker>
  void internal_enqueue(Worker* self, caf::resumable* job) {
    central_enqueue(self->parent(), job);
  }

  template <class Worker>
  void resume_job_later(Worker* self, caf::resumable*) {
    central_enqueue(self->parent(), visited_.actor());
  }

  template <class Worker>
  caf::resumable* dequeue(Worker* self) {
    if (!std::exchange(self->data().has_begun, true))
      take_short_turns();
    visited_.be(self->parent()->data().queue.take(lane::quick), slow_of(self));
    return &visited_;
  }

  template <class Worker, class F>
  void foreach_resumable(Worker*, F) {}

  template <class Coordinator, class F>
  void foreach_central_resumable(Coordinator* self, F f) {
    for (auto from : {lane::quick, lane::slow, lane::blocking})
      while (auto* job = self->data().queue.try_take(from))
        f(job);
  }

private:
  template <class Worker>
  static slow_jobs& slow_of(Worker* self) {
    return self->parent()->data().queue.slow();
  }

  visited visited_; ///< the actor that this worker runs
};

/// CAF's coordinator, with further threads for the blocking and the slow lane, and with a clock
/// that wakes its thread only for what is due.
class coordinator final : public caf::scheduler::coordinator<sharing_a_queue> {
public:
  using caf::scheduler::coordinator<sharing_a_queue>::coordinator;

protected:
  void start() override {
    others_.push_back(system().launch_thread("clock", [this] { clock_.run(); }));
    others_.push_back(system().launch_thread("blocking", [this] {
      take_short_turns();
      run(lane::blocking, max_throughput());
    }));
    for (size_t i = 0; i < slow_worker_count(); ++i)
      others_.push_back(system().launch_thread("slow", [this] {
        lower_thread_priority();
        run(lane::slow, 1); // one message, so that slow actors take turns
      }));
    data().queue.expect_workers(lane::quick, worker_count());
    caf::scheduler::coordinator<sharing_a_queue>::start();
  }

  void stop() override {
    clock_.stop();
    data().queue.expect_workers(lane::quick, 0); // they end one by one and do not come back
    data().queue.end(lane::slow);
    data().queue.end(lane::blocking);
    for (auto& x : others_)
      x.join();
    caf::scheduler::coordinator<sharing_a_queue>::stop();
  }

  caf::detail::thread_safe_actor_clock& clock() noexcept override { return clock_; }

private:
  void run(lane which, size_t max_messages) {
    while (auto* job = data().queue.take(which))
      run_job(data().queue, job, max_messages);
  }

  std::vector<std::thread> others_;
  sparing_clock clock_{caf::scheduler::coordinator<sharing_a_queue>::clock()};
};

#endif

} // namespace

#if CAF_MAJOR_VERSION < 1

void use_shared_queue(caf::actor_system_config& cfg) {
  cfg.set("caf.scheduler.max-threads", worker_count());
  cfg.set("caf.scheduler.max-throughput", shared_at_once);
  cfg.module_factories.emplace_back([](caf::actor_system& system) -> caf::actor_system::module* {
    return new coordinator{system}; // the system owns it
  });
}

job_queue* job_queue::of(caf::actor_system& system) {
  auto* ours = dynamic_cast<coordinator*>(&system.scheduler());
  return ours == nullptr ? nullptr : &ours->data().queue;
}

#else // CAF 1.x cannot be given another queue

void use_shared_queue(caf::actor_system_config& cfg) {
  cfg.set("caf.scheduler.policy", std::string{"sharing"});
  cfg.set("caf.scheduler.max-threads", worker_count());
  cfg.set("caf.scheduler.max-throughput", shared_at_once);
}

job_queue* job_queue::of(caf::actor_system&) {
  return nullptr;
}

#endif

} // namespace scratchpage
