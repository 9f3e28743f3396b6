#include "scratchpage/runtime/cli/end_signals.hpp"

namespace scratchpage {

end_signals::end_signals() {
  sigemptyset(&waited_for_);
  sigaddset(&waited_for_, SIGTERM);
  sigaddset(&waited_for_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &waited_for_, &before_);
}

end_signals::~end_signals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void end_signals::await() const {
  auto which = 0;
  while (sigwait(&waited_for_, &which) != 0) {
  }
}

} // namespace scratchpage
