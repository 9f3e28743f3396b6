#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// What happened to a goal in a turn.
struct goal_change {
  std::string_view what; ///< "opened", "changed", "completed", "blocked" or "abandoned"
  const goal* now = nullptr;
};

/// Tells what happened to goals, one turn after the other.
class goal_changes {
public:
  /// The changes of the next turn. A goal that began and ended in it has two. They point into
  /// `turn`.
  std::vector<goal_change> in(const turn_result& turn);

private:
  std::map<std::string, goal_status> known_;
};

/// What the daemons decided in each turn of a conversation, one object for each turn in their
/// order: `conversation` and `turn` (from 0), `urgency`, `assessment` (the outcome), `goals` that
/// were `opened`, `changed`, `completed`, `blocked` or `abandoned`, and the questions of the
/// agent's responses that were `opened` or `resolved` (`waiting`).
json::array decisions_in(const std::string& conversation_id, const play_result& x);

} // namespace scratchpage
