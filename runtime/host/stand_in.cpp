#include "scratchpage/runtime/host/stand_in.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

caller as_stand_in() {
  return as_daemon(std::string{stand_in_name});
}

} // namespace

stand_in_state::stand_in_state(handle::pointer self, team_spawner team)
  : self_{self},
    team_{std::move(team)},
    trace_{team_.parts().each.agent, std::string{stand_in_name},
      static_cast<uint32_t>(component::stand_in)} {}

stand_in_state::handle::behavior_type stand_in_state::make_behavior() {
  subscribe_to_page();
  return {
    [this](const event_batch& batch) { return hear(batch); },
    [this](caf::ok_atom) { note_subscribed(); },
  };
}

void stand_in_state::subscribe_to_page() {
  const auto& each = team_.parts().each;
  subscribe request{as_stand_in(), handle{self_}, {}, {}, true};
  request.filter.type = {"user_input"};
  request.or_filters = team_.wanted();
  ask(self_, each.page, from_milliseconds(each.limits.request_ms), std::move(request))
    .then([](uint64_t) {},
      [this](const caf::error& err) {
        trace_.write_error("subscribe", as_stand_in(), err);
        self_->quit(err);
      });
}

/// Only an observation that was added calls the daemons: none of them does anything about a change
/// or an end, or about what was there before it subscribed.
caf::result<void> stand_in_state::hear(const event_batch& batch) {
  auto first = std::find_if(batch.events.begin(), batch.events.end(),
    [](const page_event& x) { return x.kind == event_kind::added; });
  if (first == batch.events.end())
    return caf::unit;
  auto promise = self_->make_response_promise<void>();
  unanswered_.push_back(promise);
  if (!std::exchange(is_called_, true))
    spawn_team(*first);
  return promise;
}

void stand_in_state::spawn_team(const page_event& first) {
  try {
    missing_ = team_.spawn_after(
      first.sequence - 1, [me = handle{self_}] { anon_tell(me, caf::ok_atom_v); });
    if (missing_ == 0)
      leave();
  } catch (const std::exception& x) {
    auto err =
      fail(errc::internal, "policies", std::string{"expected no exception, got "} + x.what());
    trace_.write_error("spawn_team", as_stand_in(), err);
    self_->quit(err);
  }
}

void stand_in_state::note_subscribed() {
  if (--missing_ == 0)
    leave();
}

void stand_in_state::leave() {
  const auto& each = team_.parts().each;
  auto end = [this] {
    team_.parts().members->leave(std::string{stand_in_name});
    for (auto& x : unanswered_)
      x.deliver();
    self_->quit();
  };
  ask(self_, each.page, from_milliseconds(each.limits.request_ms),
    unsubscribe{as_stand_in(), handle{self_}})
    .then(end, [end](const caf::error&) { end(); });
}

} // namespace scratchpage
