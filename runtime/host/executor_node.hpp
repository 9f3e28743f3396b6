#pragma once

#include <memory>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>

#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/config/settings.hpp"

namespace scratchpage {

/// Runs the Executor and its tools for an agent whose page is in another process. The ensemble
/// there has "executor" in `elsewhere`. Both actors end with this object. It uses real time. The
/// actor system must outlive it.
class executor_node {
public:
  /// `page`, `consciousness` and `settings` are those of the ensemble; without settings, the
  /// built-in configuration is used. Of `policies`, only the Executor's is used. Throws
  /// std::invalid_argument, which names the member, if a tool has no id, the id of another tool or
  /// a wrong schema, or if `policies.within` is not above 0; and what the policy's factory throws.
  executor_node(caf::actor_system& system, std::string agent_id, scratch_page_actor page,
    consciousness_actor consciousness, std::vector<tool_definition> tools,
    const config_ptr& settings = {}, const policy_factories& policies = {});
  executor_node(const executor_node&) = delete;
  executor_node& operator=(const executor_node&) = delete;

  /// Waits until the Executor and the tools have ended, for ten seconds at most: after that no tool
  /// and no policy of the program runs. An actor may not destroy this object.
  ~executor_node();

private:
  class members;

  std::unique_ptr<members> members_;
};

} // namespace scratchpage
