#pragma once

#include <functional>
#include <string>
#include <vector>

#include <caf/fwd.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"

namespace scratchpage::server {

/// Whose figures are asked for, and what the caller may read of them.
struct overview_order {
  std::vector<hosted_agent_ptr> agents; ///< open ones that the caller may use
  caller by;
  bool with_goals = false;
};

struct overview_limits {
  static constexpr uint32_t goals = 200; ///< of an agent, whose actions are counted
};

/// Asks the agents what waits in them, for two seconds at most, and calls `then` with one object
/// for each, in their order: `agent_id`, `live`, `questions`, `open_turns`, `last_change_at`, and
/// with goals also `goals` and `actions`. What an agent has not answered is left out. Runs in the
/// actor `self`.
void collect_overview(
  caf::event_based_actor* self, overview_order order, std::function<void(json::array)> then);

} // namespace scratchpage::server
