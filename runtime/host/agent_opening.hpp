#pragma once

#include <functional>
#include <memory>
#include <string>

#include <caf/expected.hpp>
#include <caf/typed_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/execution/blocking_pool.hpp"
#include "scratchpage/runtime/host/agent_factory.hpp"
#include "scratchpage/runtime/host/open_agent.hpp"
#include "scratchpage/runtime/host/resting_agents.hpp"

namespace scratchpage {

/// An OPENING opens one agent: it recovers the agent on a thread of the pool, and then, without a
/// thread, waits until its daemons are there and have handled what expired or was interrupted, for
/// about a minute at most. It ends with its answer.
class agent_opening_state {
public:
  using handle = caf::typed_actor<
    // INTERNAL: recovers the agent.
    caf::result<void>(caf::tick_atom),
    // INTERNAL: the roll call of the daemons has ended.
    caf::result<void>(caf::ok_atom)>;
  static constexpr const char* name = "agent_opening";

  /// Called once, on any thread, and must not wait.
  using on_opened = std::function<void(opened_agent)>;

  /// `by` outlives the actor.
  /// `asleep`: the agent is at rest; null: it is not.
  agent_opening_state(handle::pointer self, agent_factory& by, std::string id, open_mode what,
    std::shared_ptr<const resting_agent> asleep, on_opened then);
  agent_opening_state(const agent_opening_state&) = delete;
  agent_opening_state& operator=(const agent_opening_state&) = delete;

  /// If the system ends first, that is the answer.
  ~agent_opening_state();

  handle::behavior_type make_behavior();

private:
  void recover();
  void await_rest();
  void end(opened_agent result);

  handle::pointer self_;
  agent_factory& factory_;
  std::string id_;
  open_mode what_;
  std::shared_ptr<const resting_agent> asleep_;
  on_opened then_;
  std::unique_ptr<open_agent> agent_;
  std::shared_ptr<caf::error> roll_call_ = std::make_shared<caf::error>(); ///< its result
};

} // namespace scratchpage
