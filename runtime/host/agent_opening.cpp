#include "scratchpage/runtime/host/agent_opening.hpp"

#include <chrono>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

constexpr timespan ready_timeout = std::chrono::minutes{1};
constexpr timespan rest_timeout = std::chrono::seconds{10};

} // namespace

agent_opening_state::agent_opening_state(handle::pointer self, agent_factory& by, std::string id,
  open_mode what, std::shared_ptr<const resting_agent> asleep, on_opened then)
  : self_{self},
    factory_{by},
    id_{std::move(id)},
    what_{what},
    asleep_{std::move(asleep)},
    then_{std::move(then)} {}

agent_opening_state::~agent_opening_state() {
  if (then_)
    std::exchange(then_, {})(fail(errc::storage_unavailable, "agent", "the host has ended"));
}

agent_opening_state::handle::behavior_type agent_opening_state::make_behavior() {
  tell(self_, handle{self_}, caf::tick_atom_v);
  return {
    [this](caf::tick_atom) { recover(); },
    [this](caf::ok_atom) {
      if (*roll_call_)
        end(*roll_call_);
      else
        await_rest();
    },
  };
}

void agent_opening_state::recover() {
  auto made = factory_.make(id_, what_, asleep_.get());
  if (!made)
    return end(made.error());
  agent_ = std::move(*made);
  agent_->team->on_ready(
    [to = handle{self_}, result = roll_call_](const caf::error& err) {
      *result = err;
      anon_tell(to, caf::ok_atom_v);
    },
    ready_timeout);
}

/// Work that is not finished by the deadline goes on while the agent is open.
void agent_opening_state::await_rest() {
  auto done = [this] { end(std::move(agent_)); };
  ask(self_, agent_->handles->page, rest_timeout,
    await_quiet{as_daemon("command"), quiet_stage::ended})
    .then(done, [done](const caf::error&) { done(); });
}

void agent_opening_state::end(opened_agent result) {
  auto then = std::exchange(then_, {});
  self_->quit();
  then(std::move(result));
}

} // namespace scratchpage
