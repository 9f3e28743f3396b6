#pragma once

#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

/// Whether whoever asks may call the operation at all; what they may touch with it is for the
/// actors to say. `forbidden` about `by.role` if the operation takes a higher one, and about
/// `by.name` if it is a name of the ensemble's, which decisions rest on.
caf::error check_principal(std::string_view operation, const caller& by);

/// The identity alone, as of somebody who comes through an edge: whatever else a client
/// claims, such as a turn, is left out.
caller as_outside(const caller& by);

} // namespace scratchpage
