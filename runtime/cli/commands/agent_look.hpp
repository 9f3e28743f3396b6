#pragma once

#include <string>

#include <caf/expected.hpp>

#include "scratchpage/runtime/cli/terminal/top_frame.hpp"
#include "scratchpage/runtime/client/agent_client.hpp"

namespace scratchpage {

/// Asks for the state of an agent: its page and subscribers, the latest 20 turns, unfinished goals,
/// and the newest 20 observations.
caf::expected<agent_snapshot> look_at(agent_client& agent, const std::string& id);

} // namespace scratchpage
