#include "scratchpage/runtime/server/mcp_service.hpp"

#include <utility>

#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/server/agent_offers.hpp"
#include "scratchpage/runtime/mcp/server/run_operations.hpp"
#include "scratchpage/runtime/server/host_changes.hpp"

namespace scratchpage::serve {

mcp_service::mcp_service(agent_host& host, const agent_calls& calls, access::host_check names)
  : strand_{std::make_shared<actor_strand>(host.system(), std::make_shared<wall_clock>())} {
  auto make = [&calls](
                const mcp::client& who, call_operation request, operation_caller::on_answer then) {
    calls.call(who.agent_id, std::move(request), who.begins, std::move(then));
  };
  auto run = mcp::run_by(strand_, std::move(make), host.answers());
  auto offers =
    std::make_shared<mcp::agent_offers>(run, std::make_shared<host_changes>(host, strand_, run));
  mcp::http_endpoint_config config;
  config.names = std::move(names);
  config.most_sessions = most_sessions;
  mcp::server_config limits;
  limits.check_memory = [&host] { return host.check_memory(); };
  endpoint_ = std::make_shared<mcp::http_endpoint>(
    std::make_shared<mcp::server>(strand_, offers, std::move(limits)), std::move(config));
}

mcp_service::~mcp_service() {
  strand_->stop();
}

void mcp_service::answer(
  http::request x, mcp::client who, const std::shared_ptr<http::exchange>& to) {
  endpoint_->handle(std::move(x), to, std::move(who));
}

} // namespace scratchpage::serve
