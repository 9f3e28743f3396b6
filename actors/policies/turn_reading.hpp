#pragma once

#include <string>
#include <vector>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/actors/policies/response_reading.hpp"

namespace scratchpage {

/// What the outputs, the requests and the response of a turn tell together, beside how its calls
/// ended.
struct turn_reading {
  evaluation_outcome outcome = evaluation_outcome::complete;
  std::vector<std::string> reasons; ///< for people; empty if it is complete
};

/// Reads a turn (contract 14).
turn_reading read_whole_turn(const evaluation_input& turn);

} // namespace scratchpage
