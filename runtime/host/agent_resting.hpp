#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <caf/typed_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/host/open_agent.hpp"
#include "scratchpage/runtime/host/resting_agents.hpp"

namespace scratchpage {

/// Puts one agent to rest, which nobody uses meanwhile: it asks the agent whether it may rest, ends
/// its actors, and waits until all of them have ended. It ends with its answer.
class agent_resting_state {
public:
  using handle = caf::typed_actor<
    // INTERNAL: asks the agent.
    caf::result<void>(caf::tick_atom),
    // INTERNAL: its actors have ended.
    caf::result<void>(caf::ok_atom)>;
  static constexpr const char* name = "agent_resting";

  struct outcome {
    std::unique_ptr<open_agent> awake;   ///< null if it is at rest
    std::optional<resting_agent> asleep; ///< nothing if it may not rest
  };

  /// Called once, on any thread, and must not wait.
  using on_done = std::function<void(outcome)>;

  agent_resting_state(handle::pointer self, std::unique_ptr<open_agent> agent, on_done then);
  agent_resting_state(const agent_resting_state&) = delete;
  agent_resting_state& operator=(const agent_resting_state&) = delete;

  /// If the system ends first, the agent stays awake.
  ~agent_resting_state();

  handle::behavior_type make_behavior();

private:
  void ask_page();
  void end_actors(const rest_verdict& page);
  void done(outcome x);

  handle::pointer self_;
  std::unique_ptr<open_agent> agent_;
  on_done then_;
  resting_agent result_;
};

} // namespace scratchpage
