#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <termios.h>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Redraws the whole screen of a terminal until a key or a signal ends it. The first `show`
/// switches to the alternate screen, and the destructor restores the former one. It needs only the
/// escape sequences of ECMA-48, and so works over any connection.
class live_screen {
public:
  /// `out` writes to the terminal at `out_fd`; keys come from `in_fd`. Create it before any thread:
  /// it blocks the signals that end a process, and `wait` reads them.
  live_screen(std::ostream& out, int out_fd, int in_fd);
  live_screen(const live_screen&) = delete;
  live_screen& operator=(const live_screen&) = delete;
  ~live_screen();

  size_t height() const;
  size_t width() const;

  void show(const std::vector<std::string>& lines);

  /// Waits until the time is over, keys are pressed, or the size of the terminal changes. Returns
  /// the keys; nothing if it is to end: a signal came, or the output is lost.
  std::optional<std::string> wait(timespan timeout);

private:
  std::ostream& out_;
  const int out_fd_;
  const int in_fd_;
  int signals_ = -1;
  std::optional<termios> before_;
  bool is_shown_ = false;
};

} // namespace scratchpage
