#pragma once

#include <csignal>
#include <mutex>

#include <pthread.h>

namespace scratchpage {

/// Keeps what asks a process to end, SIGTERM and SIGINT, from ending it, for this
/// thread and those that it starts. Make it before any of them.
class end_signals {
public:
  end_signals();
  /// As above; and what is written to a pipe that nobody reads just fails.
  struct and_of_pipes {};
  explicit end_signals(and_of_pipes);
  end_signals(const end_signals&) = delete;
  end_signals& operator=(const end_signals&) = delete;
  ~end_signals(); ///< as it was before

  /// Waits for one, on the thread that made it; or until nobody reads any more what is
  /// written to `output`, unless that is -1.
  void await(int output = -1) const;

  /// As if somebody asked to end. From any thread.
  void ask();

  /// From here on a signal ends the process at once.
  void let_through();

private:
  std::mutex guard_;
  bool lets_through_ = false;
  const pthread_t waiting_ = pthread_self();
  sigset_t waited_for_{};
  sigset_t before_{};
};

} // namespace scratchpage
