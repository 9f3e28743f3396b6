#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/error.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/expected.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/runtime/host/event_subscription.hpp"

/// How threads of a program, which are no actors, use the actors of an ensemble: they ask and wait,
/// wait until the team is complete or has ended, and get events.

namespace scratchpage {

// -- asking ------------------------------------------------------------------------------

/// The longest time that a call waits. The end of a longer one could not be calculated.
constexpr timespan longest_wait = std::chrono::hours{24 * 365};

/// A time to wait that is neither negative nor longer than the longest.
inline timespan bounded(timespan within) {
  return std::clamp(within, timespan{1}, longest_wait);
}

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
  within = bounded(within);
  if (driver != nullptr)
    return call_on_virtual_time<Answer>(system, *driver, whom, within, std::move(request));
  caf::scoped_actor self{system};
  caf::expected<Answer> result{caf::error{}};
  ask(self.ptr(), whom, within, std::move(request))
    .receive([&](Answer& x) { result = std::move(x); }, [&](caf::error& err) { result = err; });
  return result;
}

// -- waiting for the team ----------------------------------------------------------------

/// The ROLL CALL interface: it is asked once and answers as soon as all daemons of a team take part
/// in the turns of a page, with their number. Error: `deadline_exceeded`, which names the daemons
/// that are missing.
using roll_call_actor = caf::typed_actor<caf::result<uint64_t>(caf::get_atom)>;

/// The ROLL CALL: polls the page, because subscribers may live in any process and the page does not
/// announce them. It ends with its answer. A name that the team has twice has to be there twice.
/// `team` gives the names at each look, since daemons may replace who stood in for them.
class roll_call_state {
public:
  using handle = roll_call_actor;
  using names_of_team = std::function<std::vector<std::string>()>;
  static constexpr const char* name = "roll-call";

  roll_call_state(handle::pointer self, std::shared_ptr<const clock> time, scratch_page_actor page,
    names_of_team team, timespan within);

  handle::behavior_type make_behavior();

private:
  void look();
  void judge(const subscriber_list& there);

  handle::pointer self_;
  std::shared_ptr<const clock> clock_;
  scratch_page_actor page_;
  names_of_team team_;
  timespan until_;
  timespan pause_; ///< until the next look; it doubles
  caf::typed_response_promise<uint64_t> asker_;
};

// -- getting events ----------------------------------------------------------------------

/// The function of a subscription, shared by the actor that calls it and the thread that ends it.
class event_subscription::listener {
public:
  using function = std::function<void(const page_event&)>;

  explicit listener(function tell)
    : tell_{std::move(tell)} {}

  /// Calls the function for each event that it has not heard yet, unless the subscription has
  /// ended. If the function throws, the subscription ends with the error that this returns.
  caf::error hear(const event_batch& batch);

  /// Ends the subscription. Waits while another thread is in the function, for at most `within`.
  caf::error end(timespan within);

  /// Sets the actor that ends with the subscription. Called before any other thread can end it.
  void set_actor(caf::actor x) { actor_ = std::move(x); }

private:
  /// What tells events of a batch apart. Those of the current state share their sequence.
  using event_key = std::tuple<event_kind, uint64_t, std::string>;

  bool enter();
  void leave(caf::error why_it_ends);
  void tell(const page_event& x);

  std::mutex guard_;
  std::condition_variable changed_;
  std::thread::id inside_; // the thread that is in the function; none if nobody is
  bool has_ended_ = false;
  caf::error problem_;
  function tell_;
  caf::actor actor_;
  std::set<event_key> heard_; // the last batch, which the page may deliver again; the actor's own
};

/// Spawns the actor that gets the events of a subscription, with a thread of its own if it may have
/// one. It ends with the page at the latest. Error: `overloaded` if there is no thread.
caf::expected<subscriber_actor> spawn_listener(caf::actor_system& system,
  const scratch_page_actor& page, std::shared_ptr<event_subscription::listener> listener,
  bool allow_threads);

// -- the end -----------------------------------------------------------------------------

/// The actor holds the token until it has ended.
void hold_until_end(const std::shared_ptr<void>& token, const caf::actor& x);

/// Lets a thread wait until actors, and the tools of a program, have ended.
class end_watch {
public:
  /// How long an object of the program waits for the end of its actors.
  static constexpr timespan timeout = std::chrono::seconds{10};

  /// `then` is called when everything that was added has ended, on any thread. It may be empty.
  explicit end_watch(std::function<void()> then = {});

  /// `wait` also waits until all copies of this are gone.
  const std::shared_ptr<void>& token() const { return token_; }

  void add(const caf::actor& x) const;

  /// Adds the functions and actors of tools. The toolbox spawns them, so they end after it.
  void add(std::vector<tool_definition>& tools) const;

  /// Waits until everything that was added has ended; false if it has not done so in time. Nothing
  /// can be added after that.
  bool wait(timespan within);

private:
  std::shared_ptr<void> token_;
  std::future<void> ended_;
};

} // namespace scratchpage
