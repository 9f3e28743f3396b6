#pragma once

#include <map>
#include <memory>
#include <string>

#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/mcp/server/agent_changes.hpp"
#include "scratchpage/runtime/mcp/server/polled_changes.hpp"

namespace scratchpage::serve {

/// Tells MCP's clients of changes to the agents of a host: of an open agent when its page says
/// so, of one that is not there yet by looking for it. Used on the strand.
class host_changes : public mcp::change_feed {
public:
  /// `run` makes operations of the client's agent. The host has to outlive it.
  host_changes(agent_host& host, std::shared_ptr<strand> on, mcp::run_operation run);

  std::shared_ptr<void> subscribe(
    const mcp::client& who, mcp::wanted_changes what, on_change then) override;

private:
  agent_host& host_;
  std::shared_ptr<strand> on_;
  mcp::run_operation run_;
  std::shared_ptr<mcp::polled_changes> polled_;
  std::map<std::string, std::shared_ptr<mcp::agent_changes>> by_agent_;
};

} // namespace scratchpage::serve
