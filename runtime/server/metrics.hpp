#pragma once

#include <functional>
#include <string>
#include <vector>

#include <caf/fwd.hpp>

#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/server_stats.hpp"

namespace scratchpage::serve {

/// What is told at /metrics, and of whom.
struct metrics_order {
  const agent_host* host = nullptr; ///< lives until all is told
  std::vector<hosted_agent_ptr> agents;
  http::server_stats http;
  timestamp started; ///< of the process, or of what serves
  timestamp now;
};

/// Asks the agents' pages and the journal, none of them longer than two seconds, and calls
/// `then` with all metrics as Prometheus reads them. Who has not answered is left out, and
/// `scratchpage_up` says so. To be run in an actor.
void collect_metrics(
  caf::event_based_actor* self, metrics_order order, std::function<void(std::string)> then);

} // namespace scratchpage::serve
