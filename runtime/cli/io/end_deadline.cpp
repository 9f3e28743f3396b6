#include "scratchpage/runtime/cli/io/end_deadline.hpp"

#include <cstdlib>
#include <utility>

#include "scratchpage/messages/start_thread.hpp"

namespace scratchpage {

end_deadline::end_deadline(
  const command_environment& environment, timespan within, std::function<void()> before)
  : environment_{environment},
    within_{within},
    before_{std::move(before)},
    thread_{require_thread([this] { run(); })} {}

end_deadline::~end_deadline() {
  {
    std::lock_guard lock{guard_};
    is_over_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void end_deadline::begin() {
  std::lock_guard lock{guard_};
  has_begun_ = true;
  changed_.notify_all();
}

void end_deadline::run() {
  std::unique_lock lock{guard_};
  changed_.wait(lock, [this] { return has_begun_ || is_over_; });
  if (changed_.wait_for(lock, within_, [this] { return is_over_; }))
    return;
  lock.unlock();
  if (before_)
    before_();
  if (environment_.end_now)
    environment_.end_now(exit_code::unmet);
  else
    std::_Exit(static_cast<int>(exit_code::unmet));
}

} // namespace scratchpage
