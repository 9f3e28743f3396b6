#pragma once

#include <string>
#include <vector>

#include <caf/actor_system.hpp>

#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/config/settings.hpp"

namespace scratchpage {

/// Runs the Executor and its tools for an agent whose page is in another process. The ensemble
/// there has "executor" in `elsewhere`. Both actors end with this object.
class executor_node {
public:
  /// `page`, `consciousness` and `settings` are those of the ensemble; without settings, the
  /// built-in configuration is used. Of `policies`, only the Executor's is used.
  executor_node(caf::actor_system& system, std::string agent_id, scratch_page_actor page,
    consciousness_actor consciousness, std::vector<tool_definition> tools,
    const config_ptr& settings = {}, const policy_factories& policies = {});
  executor_node(const executor_node&) = delete;
  executor_node& operator=(const executor_node&) = delete;
  ~executor_node();

private:
  toolbox_actor tools_;
  subscriber_actor executor_;
};

} // namespace scratchpage
