#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// A question that a turn asks, as a report shows it.
struct asked_question {
  std::string by; ///< "tool weather_api"; "" if the turn does not tell
  std::string text;
};

/// The turn's questions, each with who asks it.
std::vector<asked_question> questions_of(const turn_result& turn);

} // namespace scratchpage
