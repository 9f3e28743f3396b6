#pragma once

#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// The part of `all` that a request asks for, in its order. One with a limit has about
/// `answer_limits::bytes` at most, or a single goal; its `next_cursor` gives the rest.
caf::expected<goal_list> page_of(const std::vector<const goal*>& all, const list_goals& request);

} // namespace scratchpage
