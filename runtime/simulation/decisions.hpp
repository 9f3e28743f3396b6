#pragma once

#include <string>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// What the daemons decided in each turn of a conversation, one object for each turn in their
/// order: `conversation` and `turn` (from 0), `urgency`, `assessment` (the outcome), `goals` that
/// were `opened`, `changed`, `completed`, `blocked` or `abandoned`, and the questions of the
/// agent's responses that were `opened` or `resolved` (`waiting`).
json::array decisions_in(const std::string& conversation_id, const play_result& x);

} // namespace scratchpage
