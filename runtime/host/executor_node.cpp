#include "scratchpage/runtime/host/executor_node.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/ensemble_calls.hpp"
#include "scratchpage/runtime/host/ensemble_members.hpp"

namespace scratchpage {

/// The actors of a node.
class executor_node::members {
public:
  members() = default;
  members(const members&) = delete;
  members& operator=(const members&) = delete;

  ~members() {
    for (const auto& x : all_)
      caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
    ended_.wait(end_watch::timeout);
  }

  template <class Handle>
  Handle adopt(Handle x) {
    all_.insert(all_.begin(), caf::actor_cast<caf::actor>(x));
    ended_.add(all_.front());
    return x;
  }

  /// From now on the destructor also waits for these tools.
  void watch(std::vector<tool_definition>& tools) const { ended_.add(tools); }

private:
  std::vector<caf::actor> all_; // the last one first
  end_watch ended_;
};

executor_node::executor_node(caf::actor_system& system, std::string agent_id,
  scratch_page_actor page, consciousness_actor consciousness, std::vector<tool_definition> tools,
  const config_ptr& settings, const policy_factories& policies)
  : members_{std::make_unique<members>()} {
  hosted_setup chosen;
  chosen.tools = tools;
  chosen.policies.within = policies.within;
  if (auto err = check_setup(chosen))
    throw std::invalid_argument{describe(err)};
  const auto& with = settings ? *settings : default_config();
  daemon_setup setup;
  setup.agent = {std::move(agent_id), std::make_shared<wall_clock>(), nullptr};
  setup.page = std::move(page);
  setup.limits = with.daemons;
  members_->watch(tools);
  auto toolbox = members_->adopt(spawn<toolbox_state>(
    system, setup.agent, static_cast<uint32_t>(component::tools), std::move(tools), with.tools));
  members_->adopt(
    spawn_executor(system, std::move(setup), with, toolbox, std::move(consciousness), policies));
}

executor_node::~executor_node() = default;

} // namespace scratchpage
