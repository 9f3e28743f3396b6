#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <caf/result.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/host/team_spawner.hpp"

namespace scratchpage {

using stand_in_actor = caf::typed_actor<
  // As for every subscriber.
  caf::result<void>(event_batch),
  // INTERNAL: one more daemon has subscribed.
  caf::result<void>(caf::ok_atom)>;

/// The STAND-IN of the daemons of an agent that has not needed them yet, so that such an agent
/// takes less memory. It subscribes to what any of them wants. When such an observation is added,
/// it spawns the daemons, which begin with this observation. It acknowledges the observation by
/// leaving the page when all of them have subscribed, so that no turn is quiet before that.
class stand_in_state {
public:
  using handle = stand_in_actor;
  static constexpr const char* name = "stand-in";

  stand_in_state(handle::pointer self, team_spawner team);

  handle::behavior_type make_behavior();

private:
  void subscribe_to_page();
  caf::result<void> hear(const event_batch& batch);
  void spawn_team(const page_event& first);
  void note_subscribed();
  void leave();

  handle::pointer self_;
  team_spawner team_;
  tracer trace_;
  bool is_called_ = false; ///< whether the daemons have been spawned
  size_t missing_ = 0;     ///< daemons that have not subscribed yet
  std::vector<caf::typed_response_promise<void>> unanswered_;
};

} // namespace scratchpage
