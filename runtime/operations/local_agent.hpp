#pragma once

#include <memory>

#include "scratchpage/runtime/agent_host.hpp"
#include "scratchpage/runtime/operations/agent_client.hpp"

namespace scratchpage {

/// An agent that lives in this process, with the whole host it is in.
class local_agent : public agent_client {
public:
  local_agent(std::unique_ptr<agent_host> host, hosted_agent_ptr agent);

  caf::expected<json::value> call(call_operation request) override;
  caf::error settle() override { return host_->settle(); }
  std::string damage() const override { return agent_->damage; }

private:
  std::unique_ptr<agent_host> host_;
  hosted_agent_ptr agent_;
};

} // namespace scratchpage
