#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace scratchpage::serve {

/// Work for a thread of its own, one piece after the other: what waits for a disk, or takes long
/// to compute. May be used from any thread.
class work_queue {
public:
  enum class pace {
    as_others, ///< as the threads that serve the network
    gives_way, ///< to them, when they have something to do
  };

  /// A text that is longer takes long to read: it is read here, so that who asks for little is
  /// answered meanwhile.
  static constexpr size_t long_bytes = 65'536;

  /// What may wait.
  struct limits {
    size_t pieces = 0;
    uint64_t bytes = UINT64_MAX; ///< that the pieces hold
  };

  work_queue(limits most, pace how);
  work_queue(const work_queue&) = delete;
  work_queue& operator=(const work_queue&) = delete;
  ~work_queue(); ///< what is to be done is done before

  /// Whether it will be done: not if too much waits, or the system had no thread for it. `bytes`
  /// is what it holds until then.
  bool later(std::function<void()> work, uint64_t bytes = 0);

private:
  struct job {
    std::function<void()> work;
    uint64_t bytes;
  };

  void run(pace how);

  const limits most_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<job> jobs_;
  uint64_t bytes_ = 0; ///< of those
  bool ends_ = false;
  std::thread thread_;
};

} // namespace scratchpage::serve
