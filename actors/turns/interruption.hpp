#pragma once

#include <vector>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"

/// What TURNS says about a turn that was open when the process ended that ran it.

namespace scratchpage {

/// What goes on the page, where the Evaluator takes it as a reason to judge the turn. It names the
/// calls of the turn of which no result is known: they may have been made, or not.
observation_draft interruption_draft(
  const std::vector<observation_ptr>& turn, const observation& input);

/// Selects such observations, and perhaps others.
observation_filter filter_of_interruptions();

/// Whether TURNS says that the turn of `x` was interrupted.
bool is_interruption(const observation& x);

/// Calls that have left nothing on the page are unanswered: whether they were made is not known.
void call_unanswered(std::vector<call_record>& calls);

/// The observation that says that the turn was interrupted, or null.
observation_ptr interruption_of(const std::vector<observation_ptr>& turn);

} // namespace scratchpage
