#pragma once

#include <deque>
#include <string>
#include <vector>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

/// What an agent was like at one moment.
struct agent_snapshot {
  std::string agent;
  timestamp at;
  page_stats page;
  subscriber_list subscribers;
  turn_list turns;     ///< open ones first, then the last
  goal_list goals;     ///< that are not over
  query_result newest; ///< observations
};

/// Changes a second, one value a snapshot, the oldest first.
using rate_history = std::deque<double>;

/// How many changes a second there were between two snapshots; a page that has begun anew
/// has none.
double changes_per_second(const agent_snapshot& before, const agent_snapshot& now);

/// A picture of it of at most `height` lines that fit the style's width, if that is 80 or
/// more; what is narrower cuts them.
std::vector<std::string> draw_frame(
  const agent_snapshot& x, const rate_history& rates, const terminal_style& style, size_t height);

} // namespace scratchpage
