#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include <pthread.h>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// Blocks SIGTERM and SIGINT in this thread and in those that it starts, so that a command can wait
/// for them and end regularly. Create it before any thread.
class end_signals {
public:
  end_signals();
  /// As above, and blocks SIGPIPE: writing to a pipe without a reader fails then.
  struct and_of_pipes {};
  explicit end_signals(and_of_pipes);
  end_signals(const end_signals&) = delete;
  end_signals& operator=(const end_signals&) = delete;
  ~end_signals(); ///< restores the signal mask

  /// Waits for a signal, or until the descriptor `output` has no reader any more; -1: for a signal
  /// only. Call it on the thread that created this object.
  void await(int output = -1) const;

  /// Ends `await` as a signal does. Thread-safe.
  void ask();

  /// Unblocks the signals: from now on, one ends the process at once.
  void let_through();

private:
  std::mutex guard_;
  bool lets_through_ = false;
  const pthread_t waiting_ = pthread_self();
  sigset_t waited_for_{};
  sigset_t before_{};
};

/// Ends the process by force if its regular end takes too long, whatever its threads do. Create it
/// before everything that has to end, so that it is destroyed last.
class end_deadline {
public:
  /// The commands promise to end within ten seconds.
  static constexpr timespan longest = std::chrono::milliseconds{9'800};

  /// `before` is called before the process is ended, on another thread; it must return soon.
  explicit end_deadline(const command_environment& environment, timespan within = longest,
    std::function<void()> before = {});
  end_deadline(const end_deadline&) = delete;
  end_deadline& operator=(const end_deadline&) = delete;
  ~end_deadline(); ///< cancels the deadline

  /// Starts the time.
  void begin();

private:
  void run();

  const command_environment& environment_;
  const timespan within_;
  const std::function<void()> before_;
  std::mutex guard_;
  std::condition_variable changed_;
  bool has_begun_ = false;
  bool is_over_ = false;
  std::thread thread_; ///< started early: later the system may refuse a thread
};

} // namespace scratchpage
