#include "scratchpage/runtime/execution/virtual_time.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/config.hpp>

#if CAF_MAJOR_VERSION >= 1
#include <caf/detail/test_coordinator.hpp>
#else
#include <caf/scheduler/test_coordinator.hpp>
#endif

#include "scratchpage/actors/base/seeded.hpp"

namespace scratchpage {

namespace {

#if CAF_MAJOR_VERSION >= 1
using test_coordinator = caf::detail::test_coordinator;
#else
using test_coordinator = caf::scheduler::test_coordinator;
#endif

test_coordinator& coordinator_of(caf::actor_system& sys) {
  if (auto* ptr = dynamic_cast<test_coordinator*>(&sys.scheduler()))
    return *ptr;
  throw std::logic_error("virtual time needs a system that use_virtual_time() prepared");
}

/// The timers by their time; CAF 1.x calls them actions.
template <class Clock>
auto& timers_of(Clock& clock) {
  if constexpr (requires { clock.actions.begin(); })
    return clock.actions;
  else
    return clock.schedule;
}

template <class Timer>
bool disposed(const Timer& x) {
  if constexpr (requires { x.f.disposed(); })
    return x.f.disposed();
  else
    return x.disposed();
}

} // namespace

struct virtual_time_driver::scheduler {
  scheduler(caf::actor_system& sys, timestamp starts_at)
    : coordinator{coordinator_of(sys)},
      origin{starts_at},
      scheduler_origin{coordinator.clock().now()} {}

  bool step() {
    auto& jobs = coordinator.jobs;
    if (order && jobs.size() > 1)
      std::swap(jobs.front(), jobs[order->below(jobs.size())]);
    return coordinator.try_run_once();
  }

  /// Cancelled timers stay in CAF's list, and keep actors alive, until their time comes. This drops
  /// those at the front.
  std::optional<timespan> next_timer() {
    auto& timers = timers_of(coordinator.clock());
    while (!timers.empty() && disposed(timers.begin()->second))
      timers.erase(timers.begin());
    if (timers.empty())
      return std::nullopt;
    return timers.begin()->first - scheduler_origin;
  }

  test_coordinator& coordinator;
  timestamp origin;
  caf::actor_clock::time_point scheduler_origin;
  std::optional<seeded_sequence> order;
};

void use_virtual_time(caf::actor_system_config& cfg) {
  cfg.set("caf.scheduler.policy", "testing");
}

timestamp default_virtual_origin() {
  using namespace std::chrono;
  return timestamp{sys_days{2025y / November / 5}.time_since_epoch() + hours{10}};
}

virtual_time_driver::virtual_time_driver(caf::actor_system& sys, timestamp origin)
  : scheduler_{std::make_unique<scheduler>(sys, origin)},
    clock_{std::make_shared<virtual_clock>(origin)} {}

virtual_time_driver::~virtual_time_driver() = default;

void virtual_time_driver::shuffle(uint64_t seed) {
  scheduler_->order.emplace(seed);
}

bool virtual_time_driver::step() {
  return scheduler_->step();
}

size_t virtual_time_driver::settle(size_t max_steps) {
  size_t steps = 0;
  while (steps < max_steps && step())
    ++steps;
  return steps;
}

std::optional<timestamp> virtual_time_driver::next_deadline() {
  auto timer = scheduler_->next_timer();
  if (!timer)
    return std::nullopt;
  // A timer that was set for the past is due now.
  return std::max(scheduler_->origin + *timer, now());
}

bool virtual_time_driver::advance_to_next_deadline(timestamp limit) {
  settle();
  auto next = next_deadline();
  if (!next || *next > limit)
    return false;
  jump_to(*next);
  settle();
  return true;
}

void virtual_time_driver::advance(timespan span) {
  auto end = now() + span;
  while (advance_to_next_deadline(end)) {
  }
  if (end > now())
    jump_to(end);
}

void virtual_time_driver::jump_to(timestamp at) {
  auto span = at - now();
  // The clock first: an actor that a timer wakes must see the timer's time.
  clock_->move_to(at);
  scheduler_->coordinator.advance_time(span);
}

} // namespace scratchpage
