#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// What a log keeps for a reader that is slow.
struct log_limits {
  static constexpr size_t waiting_bytes = 1'048'576; ///< of lines that wait to be written
};

/// Writes the lines of a log in their order, on a thread of its own: whoever adds a line never
/// waits for the reader of the log. A line that finds no room is dropped and counted, and so are
/// all lines after it until half of the room is free. Then a line of its own tells the count. May
/// be used from any thread.
class log_queue {
public:
  /// Writes a line, and may take as long as it likes; false if nothing can be written any more.
  using writing = std::function<bool(std::string_view line)>;

  /// The line that tells how many were dropped.
  using telling = std::function<std::string(uint64_t dropped)>;

  log_queue(writing write, telling tell_dropped, size_t most_bytes = log_limits::waiting_bytes);
  log_queue(const log_queue&) = delete;
  log_queue& operator=(const log_queue&) = delete;
  ~log_queue(); ///< as `end`

  void add(std::string line);

  /// Whether all is written that was added before, at the latest after that time.
  bool flush(timespan within);

  /// What still waits is not written. Waits for the line that is being written.
  void end();

private:
  using lock_type = std::unique_lock<std::mutex>;

  bool has_room_for(const std::string& line) const;
  void push(std::string line);
  void tell_dropped();
  void run();

  const writing write_;
  const telling how_dropped_is_told_;
  const size_t most_bytes_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  size_t bytes_ = 0; ///< of what waits, with the line that is being written
  uint64_t dropped_ = 0;
  bool ends_ = false;
  bool is_gone_ = false; ///< nothing can be written any more
  std::thread thread_;
};

} // namespace scratchpage
