#include "scratchpage/runtime/serve/mcp_service.hpp"

#include <utility>

#include "scratchpage/runtime/mcp/agent_changes.hpp"
#include "scratchpage/runtime/mcp/agent_offers.hpp"
#include "scratchpage/runtime/mcp/run_operations.hpp"
#include "scratchpage/runtime/wall_clock.hpp"

namespace scratchpage::serve {

mcp_service::mcp_service(
  caf::actor_system& system, const operation_caller& operations, access::host_check names)
  : system_{system},
    operations_{operations},
    names_{std::move(names)},
    strand_{std::make_shared<actor_strand>(system, std::make_shared<wall_clock>())} {}

mcp_service::~mcp_service() {
  strand_->stop();
}

void mcp_service::answer(http::request x, const visitor& who, const std::string& thread_id,
  const hosted_agent& agent, const std::shared_ptr<http::exchange>& to) {
  endpoint_of(agent)->handle(std::move(x), to, {who.by, thread_id, who.may_write, who.traceparent});
}

std::shared_ptr<mcp::http_endpoint> mcp_service::endpoint_of(const hosted_agent& agent) {
  std::lock_guard lock{guard_};
  auto& result = endpoints_[agent.id];
  if (!result) {
    auto run = mcp::run_by(strand_, operations_, agent.operations);
    auto changes =
      std::make_shared<mcp::agent_changes>(system_, strand_, agent.page, agent.cortex, run);
    auto offers = std::make_shared<mcp::agent_offers>(run, changes);
    mcp::http_endpoint_config config;
    config.names = names_;
    result = std::make_shared<mcp::http_endpoint>(
      std::make_shared<mcp::server>(strand_, offers), std::move(config));
  }
  return result;
}

} // namespace scratchpage::serve
