#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/error.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/expected.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/runtime/host/event_subscription.hpp"

/// How threads of a program, which are no actors, use the actors of an ensemble: they ask and wait,
/// wait until the team is complete, and get events.

namespace scratchpage {

// -- asking ------------------------------------------------------------------------------

/// Asks `whom` on virtual time: the calling thread runs the actors and lets time pass until there
/// is an answer.
template <class Answer, class Handle, class Request>
caf::expected<Answer> call_on_virtual_time(caf::actor_system& system, virtual_time_driver& driver,
  const Handle& whom, timespan within, Request request) {
  auto answer = std::make_shared<std::optional<caf::expected<Answer>>>();
  system.spawn([=, request = std::move(request)](caf::event_based_actor* self) {
    ask(self, whom, within, request)
      .then([answer](Answer& x) { answer->emplace(std::move(x)); },
        [answer](const caf::error& err) { answer->emplace(err); });
  });
  driver.settle();
  while (!*answer && driver.advance_to_next_deadline()) {
  }
  if (!*answer)
    return fail(errc::deadline_exceeded, "", "expected an answer");
  return std::move(**answer);
}

/// Asks `whom` and waits for at most `within`. With a driver, the system is on virtual time.
template <class Answer, class Handle, class Request>
caf::expected<Answer> call(caf::actor_system& system, virtual_time_driver* driver,
  const Handle& whom, timespan within, Request request) {
  if (driver != nullptr)
    return call_on_virtual_time<Answer>(system, *driver, whom, within, std::move(request));
  caf::scoped_actor self{system};
  caf::expected<Answer> result{caf::error{}};
  ask(self.ptr(), whom, within, std::move(request))
    .receive([&](Answer& x) { result = std::move(x); }, [&](caf::error& err) { result = err; });
  return result;
}

// -- waiting for the team ----------------------------------------------------------------

/// The ROLL CALL interface: it is asked once and answers, as soon as there are enough of them, the
/// number of subscribers that take part in the turns of a page. Error: `deadline_exceeded`.
using roll_call_actor = caf::typed_actor<caf::result<uint64_t>(caf::get_atom)>;

/// The ROLL CALL: polls the page, because subscribers may live in any process and the page does not
/// announce them. It ends with its answer.
class roll_call_state {
public:
  using handle = roll_call_actor;
  static constexpr const char* name = "roll-call";

  roll_call_state(handle::pointer self, std::shared_ptr<const clock> time, scratch_page_actor page,
    uint64_t wanted, timespan within);

  handle::behavior_type make_behavior();

private:
  void look();
  void judge(uint64_t there);

  handle::pointer self_;
  std::shared_ptr<const clock> clock_;
  scratch_page_actor page_;
  uint64_t wanted_;
  timespan until_;
  caf::typed_response_promise<uint64_t> asker_;
};

// -- getting events ----------------------------------------------------------------------

/// The function of a subscription, shared by the actor that calls it and the thread that ends it.
class event_subscription::listener {
public:
  using function = std::function<void(const page_event&)>;

  explicit listener(function tell)
    : tell_{std::move(tell)} {}

  /// Calls the function for each event, unless the subscription has ended.
  void hear(const event_batch& batch);

  /// Ends the subscription. Waits while another thread is in the function.
  void end();

  /// Sets the actor that ends with the subscription. Called before any other thread can end it.
  void set_actor(caf::actor x) { actor_ = std::move(x); }

private:
  std::recursive_mutex guard_; // the function may end its own subscription
  bool has_ended_ = false;
  function tell_;
  caf::actor actor_;
};

/// Spawns the actor that gets the events of a subscription. It ends with the page at the latest.
subscriber_actor spawn_listener(caf::actor_system& system, const scratch_page_actor& page,
  std::shared_ptr<event_subscription::listener> listener);

} // namespace scratchpage
