#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <caf/fwd.hpp>

#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/server.hpp"

namespace scratchpage::server {

/// The memories of an agent as they are stored.
struct stored_counts {
  uint64_t goals = 0;
  uint64_t facts = 0;
  uint64_t episodes = 0;
};

/// The metrics of single agents are those of the agents that were used last, so many at most.
constexpr size_t most_measured_agents = 256;

/// Counts the stored memories of these agents. It waits for the storage. An agent that is not found
/// is left out.
std::map<std::string, stored_counts> count_stored(const agent_host& of);

/// What `/metrics` reports on.
struct metrics_order {
  const agent_host* host = nullptr; ///< has to live until `then` is called
  std::vector<hosted_agent_ptr> agents;
  http::server_stats http;
  timestamp started; ///< when the service has started
  timestamp now;
  std::map<std::string, stored_counts> stored = {}; ///< by agent
};

/// Asks the agents' pages and the journal, for two seconds at most, and calls `then` with all
/// metrics in the text format of Prometheus. A page that has not answered is left out, and its
/// `scratchpage_up` is 0. Runs in the actor `self`.
void collect_metrics(
  caf::event_based_actor* self, metrics_order order, std::function<void(std::string)> then);

} // namespace scratchpage::server
