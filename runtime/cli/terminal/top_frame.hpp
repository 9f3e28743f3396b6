#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

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

/// What of an agent is shown: something of everything, all of one kind, or the help.
enum class top_part { overview, subscribers, turns, goals, newest, help };

/// The part that is shown, and its first row.
struct top_view {
  top_part part = top_part::overview;
  size_t first = 0;

  /// Takes the keys that were pressed on a screen of that height, which shows `x`. False if one of
  /// them ends it.
  bool take(std::string_view keys, size_t height, const agent_snapshot& x);
};

/// What the keys of `scratchpage top` do, and what each column means. One line each.
const std::vector<std::string>& top_help();

/// Draws a snapshot in at most `height` lines. They fit the style's width if that is at least 40; a
/// narrower terminal cuts them. What does not fit is counted, with the key that shows it.
std::vector<std::string> draw_frame(const agent_snapshot& x, const rate_history& rates,
  const terminal_style& style, size_t height, const top_view& view = {});

} // namespace scratchpage
