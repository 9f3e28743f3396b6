#pragma once

#include <csignal>

namespace scratchpage {

/// Keeps what asks a process to end, SIGTERM and SIGINT, from ending it, for this
/// thread and those that it starts. Make it before any of them.
class end_signals {
public:
  end_signals();
  end_signals(const end_signals&) = delete;
  end_signals& operator=(const end_signals&) = delete;
  ~end_signals(); ///< as it was before

  /// Waits for one.
  void await() const;

private:
  sigset_t waited_for_{};
  sigset_t before_{};
};

} // namespace scratchpage
