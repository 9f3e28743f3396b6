#include "scratchpage/runtime/simulation/stage.hpp"

#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

stage::stage(const play_options& options, timestamp start)
  : system_{prepare(cfg_, !options.real_time)} {
  if (options.real_time) {
    clock_ = std::make_shared<wall_clock>();
    return;
  }
  driver_.emplace(system_, start);
  clock_ = driver_->clock();
  if (options.shuffle)
    driver_->shuffle(options.seed);
}

caf::actor_system_config& stage::prepare(caf::actor_system_config& cfg, bool virtual_time) {
  if (virtual_time)
    use_virtual_time(cfg);
  return cfg;
}

caf::error stage::wait_until(const std::function<bool()>& done) {
  if (driver_) {
    driver_->settle();
    while (!done())
      if (!driver_->advance_to_next_deadline())
        return fail(errc::internal, "", "the run came to a standstill");
    return {};
  }
  constexpr auto longest = std::chrono::hours{1};
  std::unique_lock guard{mutex_};
  if (!arrived_.wait_for(guard, longest, done))
    return fail(errc::deadline_exceeded, "", "expected an answer within an hour");
  return {};
}

void stage::pass(timespan duration) {
  if (driver_) {
    driver_->advance(duration);
    return;
  }
  std::unique_lock guard{mutex_};
  arrived_.wait_for(guard, duration, [] { return false; });
}

void stage::settle() {
  if (driver_)
    driver_->settle();
}

void stage::arrive(const std::function<void()>& note) {
  {
    std::lock_guard guard{mutex_};
    note();
  }
  arrived_.notify_all();
}

} // namespace scratchpage
