#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "scratchpage/runtime/cli/io/stop_event.hpp"

namespace scratchpage {

/// Writes to somebody who may take long to read, for those who must not wait for that:
/// what a pipe takes at once is written at once, the rest by a thread. Wants signals of
/// pipes that nobody reads to be off.
class patient_writer {
public:
  /// The descriptor is the caller's. `on_gone` is called once, on whichever thread
  /// writes, when nothing more can be written: nobody reads, or more than `most_waiting`
  /// bytes wait for who does.
  patient_writer(int fd, std::function<void()> on_gone, size_t most_waiting = size_t{64} << 20);
  patient_writer(const patient_writer&) = delete;
  patient_writer& operator=(const patient_writer&) = delete;
  ~patient_writer();

  /// After all that was written before. From any thread.
  void write(std::string text);

  /// Whether all is written, at the latest by then.
  bool flush(std::chrono::steady_clock::time_point until);

  /// What waits is dropped, and nothing more is written.
  void stop();

private:
  using lock_type = std::unique_lock<std::mutex>;

  enum class outcome { written, not_yet, failed };

  outcome write_some(std::string_view& text) const;
  bool write_all(std::string_view text) const;
  void give_up(lock_type& lock);
  void run();

  const int fd_;
  const std::function<void()> on_gone_;
  const size_t most_waiting_;
  stop_event stop_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  size_t bytes_waiting_ = 0; ///< with what the thread writes now
  bool ends_ = false;
  bool is_gone_ = false;
  std::thread thread_;
};

} // namespace scratchpage
