#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// Ends the process when its own end takes too long, whatever its threads do then. Make it before
/// all that has to end, so that it is there until the last of that has gone.
class end_deadline {
public:
  /// What the commands promise is ten seconds.
  static constexpr timespan longest = std::chrono::milliseconds{9'800};

  /// `before` is called first, on a thread of its own, and takes a moment at most.
  explicit end_deadline(const command_environment& environment, timespan within = longest,
    std::function<void()> before = {});
  end_deadline(const end_deadline&) = delete;
  end_deadline& operator=(const end_deadline&) = delete;
  ~end_deadline(); ///< everything has ended in time

  /// From here on the time passes.
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
  std::thread thread_; ///< there from the start: later there might be none left for it
};

} // namespace scratchpage
