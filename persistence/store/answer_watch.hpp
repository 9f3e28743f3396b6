#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace scratchpage::sql {

/// Shuts a socket down when a call that waits on it takes too long, so that the call ends with a
/// broken connection. It is for libraries that would wait for ever. All watches of a process share
/// one thread, which exists as long as there are any.
class answer_watch {
public:
  /// A call is ended after between one and two `timeout`. Throws `failure`.
  answer_watch(int socket, std::chrono::milliseconds timeout);
  answer_watch(const answer_watch&) = delete;
  answer_watch& operator=(const answer_watch&) = delete;
  ~answer_watch();

  /// A call that is watched while this object exists; one at a time.
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
  class watcher;
  using clock = std::chrono::steady_clock;

  void look();

  int socket_; // a duplicate, because the number of a closed socket may be used again
  std::chrono::milliseconds timeout_;
  std::atomic<uint64_t> turn_ = 0; // odd during a call
  uint64_t seen_ = 0;              // turn at the last look
  clock::time_point next_look_;
  std::shared_ptr<watcher> watcher_; // of all watches of the process
};

} // namespace scratchpage::sql
