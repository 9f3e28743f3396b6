#pragma once

#include <map>
#include <span>
#include <string>

#include <caf/expected.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/trace.hpp"

namespace scratchpage {

/// The observations that are on one agent's page after all changes in a full
/// trace of it, by id (contract 10). A change is an entry of the component
/// `scratch_page` whose status is `success` or `warning` and whose detail has a
/// `sequence`; its `event` tells what happened (an event_kind's name) and its
/// `observation` is the whole observation as it was then. Other entries are
/// passed over. What was archived, expired or evicted is not on the page.
///
/// Errors, `invalid_request` naming the sequence: a gap or a repetition (the
/// first is 1), a change of more than one agent, an addition of what is there,
/// a change of what is not, and a malformed detail.
caf::expected<std::map<std::string, observation>> replay(std::span<const trace_entry> entries);

} // namespace scratchpage
