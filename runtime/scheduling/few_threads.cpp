#include "scratchpage/runtime/scheduling/few_threads.hpp"

#include <algorithm>
#include <string>
#include <thread>

#include <caf/config.hpp>

#if CAF_MAJOR_VERSION < 1
#include <caf/policy/unprofiled.hpp>
#include <caf/scheduler/coordinator.hpp>
#endif

namespace scratchpage {

namespace {

size_t worker_count() {
  return std::max(std::thread::hardware_concurrency(), 2u) - 1;
}

#if CAF_MAJOR_VERSION < 1

/// What CAF's workers need to share a queue of ours.
class sharing_a_queue : public caf::policy::unprofiled {
public:
  struct coordinator_data {
    explicit coordinator_data(caf::scheduler::abstract_coordinator* of)
      : queue{of->system()} {}

    job_queue queue;
  };

  struct worker_data {
    explicit worker_data(caf::scheduler::abstract_coordinator*) {}
  };

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
  void resume_job_later(Worker* self, caf::resumable* job) {
    central_enqueue(self->parent(), job);
  }

  template <class Worker>
  caf::resumable* dequeue(Worker* self) {
    return self->parent()->data().queue.take(lane::quick);
  }

  template <class Worker, class F>
  void foreach_resumable(Worker*, F) {}

  template <class Coordinator, class F>
  void foreach_central_resumable(Coordinator* self, F f) {
    for (auto from : {lane::quick, lane::blocking})
      while (auto* job = self->data().queue.try_take(from))
        f(job);
  }
};

/// CAF's, with a thread for what blocks.
class coordinator final : public caf::scheduler::coordinator<sharing_a_queue> {
public:
  using caf::scheduler::coordinator<sharing_a_queue>::coordinator;

protected:
  void start() override {
    blocking_ = system().launch_thread("blocking", [this] {
      while (auto* job = data().queue.take(lane::blocking))
        run_job(data().queue, job, max_throughput());
    });
    caf::scheduler::coordinator<sharing_a_queue>::start();
  }

  void stop() override {
    data().queue.end(lane::blocking);
    blocking_.join();
    caf::scheduler::coordinator<sharing_a_queue>::stop();
  }

private:
  std::thread blocking_;
};

#endif

} // namespace

#if CAF_MAJOR_VERSION < 1

void use_few_threads(caf::actor_system_config& cfg) {
  cfg.set("caf.scheduler.max-threads", worker_count());
  cfg.module_factories.emplace_back([](caf::actor_system& system) -> caf::actor_system::module* {
    return new coordinator{system}; // the system's
  });
}

job_queue* job_queue::of(caf::actor_system& system) {
  auto* ours = dynamic_cast<coordinator*>(&system.scheduler());
  return ours == nullptr ? nullptr : &ours->data().queue;
}

#else // its schedulers take no queue of others

void use_few_threads(caf::actor_system_config& cfg) {
  cfg.set("caf.scheduler.policy", std::string{"sharing"});
  cfg.set("caf.scheduler.max-threads", worker_count());
}

job_queue* job_queue::of(caf::actor_system&) {
  return nullptr;
}

#endif

} // namespace scratchpage
