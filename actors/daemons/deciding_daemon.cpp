#include "scratchpage/actors/daemons/deciding_daemon.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/exit_reason.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

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

/// The bell lives as long as this daemon waits for it: until one of the handlers of the answer has
/// run, or the daemon has ended. The policy's callback does not keep it alive, so a policy that
/// keeps the callback does not prevent the actor system from ending.
void deciding_daemon::await_decision(const caller& by,
  const std::function<void(std::function<void()>)>& when_over, timespan within,
  const ack_guard& work, const use_of_decision& use, const rules& built_in) {
  auto bell = spawn<bell_state>(self_->system());
  std::shared_ptr<void> waits{
    nullptr, [bell](void*) { caf::anon_send_exit(bell, caf::exit_reason::user_shutdown); }};
  when_over([address = bell.address()] {
    if (auto there = caf::actor_cast<bell_actor>(address))
      anon_tell(there, caf::ok_atom_v);
  });
  ask(self_, bell, within, caf::get_atom_v)
    .then([this, waits, by, work, use, built_in] { finish(by, work, use, built_in); },
      [this, waits, by, work, built_in](const caf::error& err) {
        trace_no_decision(by, err);
        built_in(work);
      });
}

void deciding_daemon::finish(
  const caller& by, const ack_guard& work, const use_of_decision& use, const rules& built_in) {
  auto err = use(work);
  if (!err)
    return;
  trace_no_decision(by, err);
  built_in(work);
}

caf::error deciding_daemon::check_draft(observation_draft draft) {
  const type_registry types{{draft.type}};
  auto accepted = accept(std::move(draft), caller{}, types, 1, timestamp{});
  if (!accepted)
    return accepted.error();
  if (!utf8::is_valid(to_text(accepted->value->metadata)))
    return fail(errc::invalid_observation, "metadata", "expected valid UTF-8");
  return {};
}

void deciding_daemon::trace_no_decision(const caller& by, const caf::error& why) {
  trace_.write_error("decide", by, why);
}

} // namespace scratchpage
