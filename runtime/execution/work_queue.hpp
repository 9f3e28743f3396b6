#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace scratchpage {

/// A thread that does pieces of work one after the other: work that waits for a disk, or takes long
/// to compute. May be used from any thread.
class work_queue {
public:
  /// The priority of the thread, compared with the threads that serve the network.
  enum class pace {
    as_others, ///< the same
    gives_way, ///< lower
  };

  /// Texts with more bytes are parsed on such a thread, so that short requests do not wait for
  /// them.
  static constexpr size_t long_bytes = 65'536;

  /// Limits on the work that waits.
  struct limits {
    size_t pieces = 0;
    uint64_t bytes = UINT64_MAX; ///< of the data that the pieces hold
  };

  work_queue(limits max, pace how);
  work_queue(const work_queue&) = delete;
  work_queue& operator=(const work_queue&) = delete;
  ~work_queue(); ///< does all work that waits first

  /// Adds a piece of work that holds `bytes` bytes of data. False if it will not be done, because
  /// too much work waits or the system has no thread.
  bool later(std::function<void()> work, uint64_t bytes = 0);

private:
  struct job {
    std::function<void()> work;
    uint64_t bytes;
  };

  void run(pace how);

  const limits max_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<job> jobs_;
  uint64_t bytes_ = 0; ///< of `jobs_`
  bool ends_ = false;
  std::thread thread_;
};

} // namespace scratchpage
