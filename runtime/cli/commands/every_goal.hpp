#pragma once

#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/runtime/client/agent_client.hpp"

namespace scratchpage {

/// All goals of an agent in one of these statuses, none meaning any, however many answers
/// they take.
caf::expected<goal_list> every_goal(agent_client& agent, const std::vector<goal_status>& status);

} // namespace scratchpage
