#include "scratchpage/runtime/cli/end_signals.hpp"

#include <ctime>
#include <utility>

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

void end_signals::await() const {
  auto which = 0;
  while (sigwait(&waited_for_, &which) != 0) {
  }
}

void end_signals::ask() {
  std::lock_guard lock{guard_};
  if (!lets_through_)
    pthread_kill(waiting_, SIGTERM);
}

} // namespace scratchpage
