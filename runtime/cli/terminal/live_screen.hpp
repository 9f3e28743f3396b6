#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <termios.h>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

/// A terminal whose whole screen is drawn again and again, until a key or a signal ends it.
/// It is taken with the first picture, and what was on it comes back at the end. Works over any
/// connection that has a terminal: it needs nothing but the escape sequences of ECMA-48.
class live_screen {
public:
  /// `out` writes to the terminal at `out_fd`; keys come from `in_fd`. Make it before any
  /// thread: signals that ask to end are kept for it.
  live_screen(std::ostream& out, int out_fd, int in_fd);
  live_screen(const live_screen&) = delete;
  live_screen& operator=(const live_screen&) = delete;
  ~live_screen();

  size_t height() const;
  size_t width() const;

  void show(const std::vector<std::string>& lines);

  /// Waits; true if it is to go on: nobody has pressed q, or asked to end otherwise.
  bool wait(timespan patience);

private:
  std::ostream& out_;
  const int out_fd_;
  const int in_fd_;
  int signals_ = -1;
  std::optional<termios> before_;
  bool is_shown_ = false;
};

} // namespace scratchpage
