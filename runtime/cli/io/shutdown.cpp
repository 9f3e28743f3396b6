#include "scratchpage/runtime/cli/io/shutdown.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "scratchpage/messages/threads.hpp"

namespace scratchpage {

// -- signals --------------------------------------------------------------------------

end_signals::end_signals() {
  sigemptyset(&waited_for_);
  sigaddset(&waited_for_, SIGTERM);
  sigaddset(&waited_for_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &waited_for_, &before_);
}

end_signals::end_signals(and_of_pipes)
  : end_signals{} {
  sigset_t pipes;
  sigemptyset(&pipes);
  sigaddset(&pipes, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipes, nullptr);
}

end_signals::~end_signals() {
  let_through();
}

/// Discards pending signals: the process is ending already.
void end_signals::let_through() {
  std::lock_guard lock{guard_};
  if (std::exchange(lets_through_, true))
    return;
  sigset_t pending = waited_for_;
  sigaddset(&pending, SIGPIPE);
  const timespec now{};
  while (sigtimedwait(&pending, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void end_signals::await(int output) const {
  auto signals = ::signalfd(-1, &waited_for_, SFD_CLOEXEC);
  // No event is requested for the output: poll reports in any case that its reader has gone.
  std::array<pollfd, 2> all{{{signals, POLLIN, 0}, {output, 0, 0}}};
  while (::poll(all.data(), all.size(), -1) < 0 && errno == EINTR) {
  }
  ::close(signals);
  const timespec now{};
  sigtimedwait(&waited_for_, nullptr, &now); // consumes the signal that came
}

void end_signals::ask() {
  std::lock_guard lock{guard_};
  if (!lets_through_)
    // The signal is blocked in that thread, and `await` reads it.
    pthread_kill(waiting_, SIGTERM); // NOLINT(bugprone-bad-signal-to-kill-thread)
}

// -- deadline -------------------------------------------------------------------------

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
