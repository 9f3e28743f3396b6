#pragma once

#include <memory>

#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/execution/actor_strand.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/mcp/server/http_endpoint.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/server/agent_calls.hpp"

namespace scratchpage::serve {

/// The Model Context Protocol for the agents of a host (Streamable HTTP). May be called from
/// any thread.
class mcp_service {
public:
  static constexpr size_t most_sessions = 1'024; ///< of all agents together

  /// `host` and `calls` have to outlive it.
  mcp_service(agent_host& host, const agent_calls& calls, access::host_check names);
  mcp_service(const mcp_service&) = delete;
  mcp_service& operator=(const mcp_service&) = delete;
  ~mcp_service();

  /// Answers a request of somebody who was let in, about the agent that `who` names.
  void answer(http::request x, mcp::client who, const std::shared_ptr<http::exchange>& to);

private:
  std::shared_ptr<actor_strand> strand_;
  std::shared_ptr<mcp::http_endpoint> endpoint_;
};

} // namespace scratchpage::serve
