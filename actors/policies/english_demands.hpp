#pragma once

#include "scratchpage/actors/policies/fact_wording.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

/// "No calls before nine", "always book the aisle", "short answers please": how a user wants to be
/// served. Nothing if the clause demands nothing.
retold english_demand(const policies::texts& lower, const policies::texts& words);

} // namespace scratchpage
