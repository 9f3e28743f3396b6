#include "scratchpage/actors/daemons/deciding_daemon.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

class bell_state {
public:
  using handle = bell_actor;
  static constexpr const char* name = "bell";

  explicit bell_state(handle::pointer self)
    : self_{self} {}

  handle::behavior_type make_behavior() {
    return {
      [this](caf::get_atom) -> caf::result<void> {
        auto asker = self_->make_response_promise<void>();
        asker_ = asker;
        answer();
        return asker;
      },
      [this](caf::ok_atom) {
        has_rung_ = true;
        answer();
      },
    };
  }

private:
  void answer() {
    if (!has_rung_ || !asker_.pending())
      return;
    asker_.deliver();
    self_->quit();
  }

  handle::pointer self_;
  caf::typed_response_promise<void> asker_;
  bool has_rung_ = false;
};

} // namespace

/// The bell lives as long as this daemon waits for it. The policy's callback does not keep it
/// alive, so a policy that keeps the callback does not prevent the actor system from ending.
void deciding_daemon::await_decision(const caller& by,
  const std::function<void(std::function<void()>)>& when_over, timespan within,
  const ack_guard& work, std::function<bool(const ack_guard&)> use,
  std::function<void(const ack_guard&)> built_in) {
  auto bell = spawn<bell_state>(self_->system());
  when_over([address = bell.address()] {
    if (auto there = caf::actor_cast<bell_actor>(address))
      anon_tell(there, caf::ok_atom_v);
  });
  ask(self_, bell, within, caf::get_atom_v)
    .then(
      [this, bell, by, work, use, built_in] {
        if (use(work))
          return;
        trace_no_decision(by, fail(errc::internal, "policy", "expected a decision, got none"));
        built_in(work);
      },
      [this, bell, by, work, built_in](const caf::error& err) {
        trace_no_decision(by, err);
        built_in(work);
      });
}

void deciding_daemon::trace_no_decision(const caller& by, const caf::error& why) {
  trace_.write_error("decide", by, why);
}

} // namespace scratchpage
