#include "scratchpage/runtime/host/ensemble_calls.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

namespace scratchpage {

// -- waiting for the team ----------------------------------------------------------------

namespace {

constexpr timespan pause = std::chrono::microseconds{100}; // short, since a command waits

} // namespace

roll_call_state::roll_call_state(handle::pointer self, std::shared_ptr<const clock> time,
  scratch_page_actor page, uint64_t wanted, timespan within)
  : self_{self},
    clock_{std::move(time)},
    page_{std::move(page)},
    wanted_{wanted},
    until_{clock_->steady() + within} {}

roll_call_state::handle::behavior_type roll_call_state::make_behavior() {
  return {[this](caf::get_atom) -> caf::result<uint64_t> {
    auto asker = self_->make_response_promise<uint64_t>();
    asker_ = asker;
    look();
    return asker;
  }};
}

void roll_call_state::look() {
  auto left = std::max<timespan>(until_ - clock_->steady(), pause);
  ask(self_, page_, left, caf::get_atom_v)
    .then([this](const page_stats& x) { judge(x.in_turns); },
      [this](caf::error& err) {
        asker_.deliver(std::move(err));
        self_->quit();
      });
}

void roll_call_state::judge(uint64_t there) {
  if (there < wanted_ && clock_->steady() < until_) {
    self_->run_delayed(pause, [this] { look(); });
    return;
  }
  if (there >= wanted_)
    asker_.deliver(there);
  else
    asker_.deliver(fail(errc::deadline_exceeded, "",
      "expected " + std::to_string(wanted_) + " subscribers that take part in turns"));
  self_->quit();
}

// -- getting events ----------------------------------------------------------------------

namespace {

class event_listener_state {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "event-listener";

  event_listener_state(handle::pointer self, scratch_page_actor page,
    std::shared_ptr<event_subscription::listener> listener)
    : self_{self},
      listener_{std::move(listener)} {
    watch(self_, page, [this](const caf::actor_addr&) { self_->quit(); });
  }

  handle::behavior_type make_behavior() {
    return {[this](const event_batch& batch) { listener_->hear(batch); }};
  }

private:
  handle::pointer self_;
  std::shared_ptr<event_subscription::listener> listener_;
};

} // namespace

void event_subscription::listener::hear(const event_batch& batch) {
  std::lock_guard lock{guard_};
  for (const auto& event : batch.events)
    if (!has_ended_)
      tell_(event);
}

void event_subscription::listener::end() {
  std::lock_guard lock{guard_};
  has_ended_ = true;
  caf::anon_send_exit(actor_, caf::exit_reason::user_shutdown);
}

subscriber_actor spawn_listener(caf::actor_system& system, const scratch_page_actor& page,
  std::shared_ptr<event_subscription::listener> listener) {
  auto result = spawn<event_listener_state>(system, page, listener);
  listener->set_actor(caf::actor_cast<caf::actor>(result));
  return result;
}

event_subscription::event_subscription() = default;

event_subscription::event_subscription(std::shared_ptr<listener> x)
  : listener_{std::move(x)} {}

event_subscription::event_subscription(event_subscription&&) noexcept = default;

event_subscription& event_subscription::operator=(event_subscription&& x) noexcept {
  if (this != &x) {
    end();
    listener_ = std::move(x.listener_);
  }
  return *this;
}

event_subscription::~event_subscription() {
  end();
}

void event_subscription::end() {
  if (auto ended = std::move(listener_))
    ended->end();
}

} // namespace scratchpage
