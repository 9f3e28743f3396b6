#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// What a question says to whoever reads it beside the ensemble's own words: that of anybody else
/// begins with the name of who asks.
std::string question_of(const observation& x);

/// Fills in what the turn's own observations tell: urgency, questions, assessment,
/// response, and, unless it has timed out, the status. Questions of the ensemble and of its tools
/// come first, and nobody else's take the place of what the Evaluator says. Unless it `is_whole`,
/// something of the ensemble's had no room: without an assessment it is not complete then.
void read_outcome(turn_result& x, bool is_whole = true);

/// All that a turn has added so far, in the order in which it was added.
std::vector<observation_ptr> in_order(const turn_so_far& x);

/// A turn that has ended, as its story tells. That it timed out, no story tells.
turn_summary summary_of(const episode& x);

/// Takes goals, and those of their actions that are open.
void take_goals(turn_result& to, std::vector<goal> goals);

/// The goals that have one of these observations for evidence.
std::vector<goal> those_about(
  const std::vector<observation_ptr>& observations, std::vector<goal> goals);

/// About how many bytes of memory the result takes.
size_t memory_of(const turn_result& x);

} // namespace scratchpage
