#pragma once

#include <map>
#include <memory>
#include <string>

#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/mcp/server/agent_changes.hpp"
#include "scratchpage/runtime/mcp/server/http_endpoint.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/server/agent_calls.hpp"

namespace scratchpage::server {

/// Tells clients of MCP about changes of the agents of a host. The page of an open agent sends
/// them; an agent that is not open is polled. Used on the strand.
class host_changes : public mcp::change_feed {
public:
  /// `perform` calls operations of the client's agent. The host has to outlive this object.
  host_changes(agent_host& host, std::shared_ptr<strand> on, perform_operation perform);

  std::shared_ptr<void> subscribe(
    const principal& who, mcp::wanted_changes what, on_change then) override;

private:
  agent_host& host_;
  std::shared_ptr<strand> on_;
  perform_operation perform_;
  std::shared_ptr<mcp::polled_changes> polled_;
  /// Of open agents. Their subscribers own them, so that an agent without any may rest.
  std::map<std::string, std::weak_ptr<mcp::agent_changes>> by_agent_;
};

/// The Model Context Protocol for the agents of a host (Streamable HTTP). May be called from
/// any thread.
class mcp_service {
public:
  static constexpr size_t max_sessions = 1'024; ///< of all agents together

  /// `host` and `calls` have to outlive this object.
  mcp_service(agent_host& host, const agent_calls& calls, auth::host_check names);
  mcp_service(const mcp_service&) = delete;
  mcp_service& operator=(const mcp_service&) = delete;
  ~mcp_service();

  /// Answers a request of a client that was let in, about the agent that `who` names.
  void answer(http::request x, principal who, const std::shared_ptr<http::exchange>& to);

private:
  std::shared_ptr<actor_strand> strand_;
  std::shared_ptr<mcp::http_endpoint> endpoint_;
};

} // namespace scratchpage::server
