#pragma once

#include <caf/expected.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

/// What a `learning` observation teaches: its `metadata.fact` (a lesson), where
/// the content stands for an absent statement, the observation's tags for absent
/// tags, and its id for absent ids. Error: `invalid_request` naming the member of
/// a malformed fact, which teaches nothing, since its outcome is not known.
caf::expected<fact_lesson> fact_lesson_of(const observation& x);

} // namespace scratchpage
