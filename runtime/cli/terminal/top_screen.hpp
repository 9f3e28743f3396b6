#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <termios.h>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

/// The state of an agent at one moment.
struct agent_snapshot {
  std::string agent;
  timestamp at;
  page_stats page;
  subscriber_list subscribers;
  turn_list turns;     ///< open ones first, then the latest
  goal_list goals;     ///< unfinished ones
  query_result newest; ///< the newest observations
};

/// Changes per second, one value for each snapshot, the oldest first.
using rate_history = std::deque<double>;

/// Changes per second between two snapshots; 0 if the page has started anew in between.
double changes_per_second(const agent_snapshot& before, const agent_snapshot& now);

/// Draws a snapshot in at most `height` lines. They fit the style's width if that is at least 80;
/// a narrower terminal cuts them.
std::vector<std::string> draw_frame(
  const agent_snapshot& x, const rate_history& rates, const terminal_style& style, size_t height);

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

  /// Waits. False if it is to end: q was pressed, a signal came, or the output is lost.
  bool wait(timespan timeout);

private:
  std::ostream& out_;
  const int out_fd_;
  const int in_fd_;
  int signals_ = -1;
  std::optional<termios> before_;
  bool is_shown_ = false;
};

} // namespace scratchpage
