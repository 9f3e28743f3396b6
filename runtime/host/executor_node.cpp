#include "scratchpage/runtime/host/executor_node.hpp"

#include <memory>
#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"

namespace scratchpage {

executor_node::executor_node(caf::actor_system& system, std::string agent_id,
  scratch_page_actor page, consciousness_actor consciousness, std::vector<tool_definition> tools,
  const config_ptr& settings, const policy_factories& policies) {
  const auto& with = settings ? *settings : default_config();
  daemon_setup setup;
  setup.agent = {std::move(agent_id), std::make_shared<wall_clock>(), nullptr};
  setup.page = std::move(page);
  setup.limits = with.daemons;
  tools_ = spawn<toolbox_state>(
    system, setup.agent, static_cast<uint32_t>(component::tools), std::move(tools), with.tools);
  executor_ = ensemble::spawn_executor(
    system, std::move(setup), with, tools_, std::move(consciousness), policies);
}

executor_node::~executor_node() {
  caf::anon_send_exit(executor_, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(tools_, caf::exit_reason::user_shutdown);
}

} // namespace scratchpage
