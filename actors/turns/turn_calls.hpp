#pragma once

#include <vector>

#include "scratchpage/actors/policies/call_record.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// What became of a turn's planned calls and of those that it resumed, read off
/// the turn's observations alone, in the order of the plan. A call that left no
/// trace was skipped.
std::vector<call_record> calls_of(const std::vector<observation_ptr>& turn);

/// What the Executor told of its plan in the turn, or null.
observation_ptr execution_of(const std::vector<observation_ptr>& turn);

/// The turn's first observation of that type that no tool made, or null.
observation_ptr first_of(const std::vector<observation_ptr>& turn, std::string_view type);

/// The turn's first observation of that type that this daemon made, or null. Others may add one of
/// the same type.
observation_ptr first_by(
  std::string_view daemon, const std::vector<observation_ptr>& turn, std::string_view type);

} // namespace scratchpage
