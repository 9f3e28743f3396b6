#include "scratchpage/runtime/cli/io/end_signals.hpp"

#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace scratchpage {

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

/// What was asked for and not waited for is forgotten: it has come to its end.
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
  // An output is not asked whether it can be written, only whether it is lost.
  std::array<pollfd, 2> all{{{signals, POLLIN, 0}, {output, 0, 0}}};
  while (::poll(all.data(), all.size(), -1) < 0 && errno == EINTR) {
  }
  ::close(signals);
  const timespec now{};
  sigtimedwait(&waited_for_, nullptr, &now); // the one that came has done its work
}

void end_signals::ask() {
  std::lock_guard lock{guard_};
  if (!lets_through_)
    // It is blocked there, and read by who waits.
    pthread_kill(waiting_, SIGTERM); // NOLINT(bugprone-bad-signal-to-kill-thread)
}

} // namespace scratchpage
