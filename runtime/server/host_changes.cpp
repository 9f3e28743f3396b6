#include "scratchpage/runtime/server/host_changes.hpp"

#include <utility>

namespace scratchpage::serve {

host_changes::host_changes(agent_host& host, std::shared_ptr<strand> on, mcp::run_operation run)
  : host_{host},
    on_{std::move(on)},
    run_{std::move(run)},
    polled_{std::make_shared<mcp::polled_changes>(on_, run_)} {}

std::shared_ptr<void> host_changes::subscribe(
  const mcp::client& who, mcp::wanted_changes what, on_change then) {
  auto open = host_.find(who.agent_id);
  if (!open)
    return polled_->subscribe(who, std::move(what), std::move(then));
  auto& feed = by_agent_[who.agent_id];
  if (!feed || !feed->is_of(open->page)) // those of a page that has ended look by themselves
    feed =
      std::make_shared<mcp::agent_changes>(host_.system(), on_, open->page, open->cortex, run_);
  return feed->subscribe(who, std::move(what), std::move(then));
}

} // namespace scratchpage::serve
