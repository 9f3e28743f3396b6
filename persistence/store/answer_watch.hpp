#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace scratchpage::sql {

/// Shuts a socket down when a call that waits on it takes too long, so that the
/// call ends with a broken connection: for libraries that would wait for ever.
class answer_watch {
public:
  /// A call may take between one and two `patience`. Throws `failure`.
  answer_watch(int socket, std::chrono::milliseconds patience);
  answer_watch(const answer_watch&) = delete;
  answer_watch& operator=(const answer_watch&) = delete;
  ~answer_watch();

  /// A call that is watched, from its begin to its end; one at a time.
  class call {
  public:
    explicit call(answer_watch& by)
      : turn_{by.turn_} {
      ++turn_;
    }
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    ~call() { ++turn_; }

  private:
    std::atomic<uint64_t>& turn_;
  };

private:
  void watch();

  int socket_; // of our own, since a number that is closed may come again
  std::chrono::milliseconds patience_;
  std::atomic<uint64_t> turn_ = 0; // odd during a call
  std::mutex mutex_;
  std::condition_variable ending_;
  bool has_ended_ = false;
  std::thread watcher_; // last, since it uses the others
};

} // namespace scratchpage::sql
