#pragma once

#include <string>
#include <vector>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/actors/policies/request_matching.hpp"

/// What is missing of something that calls have to do with.

namespace scratchpage {

/// Whether running is all that is asked for, which calls that only look do as well: "Run the
/// tests".
bool only_runs(const asked_thing& thing);

/// What a turn leaves out of one of its `things`: what is brought somewhere and is elsewhere yet,
/// or what something was to be checked for. Empty if nothing is.
std::string gap_in(const asked_thing& thing, const evaluation_input& turn, size_t things);

/// The first of the values that an input lists of which nothing in a turn tells, where something
/// tells of others. Empty if there is none.
std::string missing_value(const std::vector<std::string>& values, const evaluation_input& turn);

} // namespace scratchpage
