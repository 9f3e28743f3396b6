#pragma once

#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

/// Whether somebody from outside may have that name, be they a tool, an agent or a person:
/// decisions rest on the names of the ensemble, and people on what a name looks like.
/// `forbidden` about `by.name` if it looks like one of the ensemble's or is not plain
/// (principal_name.hpp).
caf::error check_name(std::string_view name);

/// Whether whoever asks may call the operation at all; what they may touch with it is for the
/// actors to say. Errors: those of `check_name`, and `forbidden` about `by.role` if the operation
/// takes a higher one.
caf::error check_principal(std::string_view operation, const caller& by);

/// The identity alone, as of somebody who comes through an edge: whatever else a client
/// claims, such as a turn, is left out.
caller as_outside(const caller& by);

} // namespace scratchpage
