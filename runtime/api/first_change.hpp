#pragma once

#include <optional>

#include <caf/error.hpp>

#include "scratchpage/messages/operation.hpp"
#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// An agent begins with the first change that is accepted, and a request that is refused
/// leaves nothing behind: so what would begin one is checked before the agent is made. What is
/// checked needs no agent, and is checked again by the agent itself.
///
/// Nothing if the operation cannot be an agent's first: it reads, or changes what must be there
/// already. Else the error with which an agent without any history would refuse it, or none.
std::optional<caf::error> check_first_change(const call_operation& x, const config& with);

} // namespace scratchpage
