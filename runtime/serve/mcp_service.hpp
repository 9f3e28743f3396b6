#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <caf/actor_system.hpp>

#include "scratchpage/runtime/access/host_check.hpp"
#include "scratchpage/runtime/actor_strand.hpp"
#include "scratchpage/runtime/agent_host.hpp"
#include "scratchpage/runtime/http/exchange.hpp"
#include "scratchpage/runtime/mcp/http_endpoint.hpp"
#include "scratchpage/runtime/operations/operation_caller.hpp"
#include "scratchpage/runtime/serve/visitor.hpp"

namespace scratchpage::serve {

/// The Model Context Protocol for the agents of a host (Streamable HTTP): an endpoint
/// for each that was asked for. May be called from any thread.
class mcp_service {
public:
  /// `operations` has to outlive it, and so has the system.
  mcp_service(
    caf::actor_system& system, const operation_caller& operations, access::host_check names);
  mcp_service(const mcp_service&) = delete;
  mcp_service& operator=(const mcp_service&) = delete;
  ~mcp_service();

  /// Answers a request of somebody who was let in, about that agent.
  void answer(http::request x, const visitor& who, const std::string& thread_id,
    const hosted_agent& agent, const std::shared_ptr<http::exchange>& to);

private:
  std::shared_ptr<mcp::http_endpoint> endpoint_of(const hosted_agent& agent);

  caf::actor_system& system_;
  const operation_caller& operations_;
  access::host_check names_;
  std::shared_ptr<actor_strand> strand_;
  std::mutex guard_;
  std::map<std::string, std::shared_ptr<mcp::http_endpoint>> endpoints_; // by agent
};

} // namespace scratchpage::serve
