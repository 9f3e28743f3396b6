#pragma once

#include <functional>
#include <string>
#include <vector>

#include <caf/fwd.hpp>

#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/server.hpp"

namespace scratchpage::server {

/// What `/metrics` reports on.
struct metrics_order {
  const agent_host* host = nullptr; ///< has to live until `then` is called
  std::vector<hosted_agent_ptr> agents;
  http::server_stats http;
  timestamp started; ///< when the service has started
  timestamp now;
};

/// Asks the agents' pages and the journal, for two seconds at most, and calls `then` with all
/// metrics in the text format of Prometheus. A page that has not answered is left out, and its
/// `scratchpage_up` is 0. Runs in the actor `self`.
void collect_metrics(
  caf::event_based_actor* self, metrics_order order, std::function<void(std::string)> then);

} // namespace scratchpage::server
