#pragma once

#include <map>
#include <span>
#include <string>

#include <caf/expected.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/trace.hpp"

namespace scratchpage {

/// Rebuilds an agent's page from its complete trace (contract 10): the observations that are on
/// it after all changes, by id. A change is an entry of the component `scratch_page` whose status
/// is `success` or `warning` and whose detail has a `sequence`. The detail's `event` is the name
/// of an event_kind, and its `observation` is the complete observation after the change. Other
/// entries are ignored. Archived, expired and evicted observations are not on the page.
///
/// Errors are `invalid_request` with the sequence: a gap or a repetition (the first sequence is
/// 1), changes of more than one agent, an addition of an observation that is there, a change of
/// one that is not, and a malformed detail.
caf::expected<std::map<std::string, observation>> replay(std::span<const trace_entry> entries);

} // namespace scratchpage
