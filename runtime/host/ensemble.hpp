#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/host/ensemble_setup.hpp"
#include "scratchpage/runtime/host/event_subscription.hpp"

namespace scratchpage {

struct hosted_setup;

/// The whole team of one agent in one process: the page, the Frontal Cortex,
/// the Consciousness, the daemons, the tools, the memories and the turns.
/// Everything ends with the ensemble. The actor system must outlive it.
///
/// The calls that wait are for threads of the program, also for several at once. Actors use the
/// handles instead: a call that waits would stop a thread that other actors need. Each call gives
/// `deadline_exceeded` (see `code_of`) if it takes longer than `within`. That ends the wait only:
/// the change or the turn may still happen. A `within` above a year counts as a year.
class ensemble {
public:
  static constexpr timespan timeout = std::chrono::seconds{30};
  static constexpr timespan turn_timeout = std::chrono::minutes{10};

  /// Makes an agent that is not stored. Throws std::invalid_argument, which names the member, if
  /// `open` would refuse the setup with `invalid_request`; std::system_error if the system has no
  /// thread for an actor; and what a factory of `setup.policies` throws.
  explicit ensemble(caf::actor_system& system, ensemble_setup setup = {});

  /// As above, for hosts of agents within the library. `hosted_setup` is not installed.
  ensemble(caf::actor_system& system, hosted_setup setup);

  ensemble(ensemble&&) noexcept;
  ensemble& operator=(ensemble&&) noexcept;

  /// Ends the actors, and waits until they have ended: after that no function, policy or daemon of
  /// the program runs, and another process can open a stored agent. Waits for ten seconds at most;
  /// code of the program that takes longer may still run after that. On virtual time it runs the
  /// actors instead, without time passing. Neither an actor nor a function that an actor calls may
  /// destroy the ensemble.
  ~ensemble();

  /// Stores the agent in an SQLite database in the directory `where`, which is created if needed,
  /// or in a PostgreSQL database if `where` is a connection string, `postgresql://…`,
  /// `postgres://…` or `host=…`. Recovers what an earlier process has stored there. Only one
  /// process at a time can use the directory. Reads the whole history before it returns, and has no
  /// deadline of its own: it takes as long as the disk or the server needs. After an error it
  /// waits, for ten seconds at most, until the storage is free again.
  ///
  /// Errors: `invalid_request` about a member of the setup (an `agent_id` that an agent cannot
  /// have; a tool without an id, with the id of another tool or with a wrong schema; a daemon that
  /// does not exist, or that is both in `without` and `elsewhere`; a `policies.within` that is not
  /// above 0; a `driver`, since storage needs threads and real time) or about `where`, if it is
  /// neither a directory nor such a connection string; `storage_unavailable`, with the reason;
  /// `forbidden` if other users may change the directory; `overloaded` if there is no thread;
  /// `internal` if the data is damaged, or about `policies` if a factory throws.
  static caf::expected<ensemble> open(
    caf::actor_system& system, const std::string& where, ensemble_setup setup = {});

  /// The data that recovery had to discard, for people; "": none.
  const std::string& damage() const;

  // -- calls that wait -------------------------------------------------------------------

  /// Waits until all daemons have subscribed to the page, your own and those elsewhere included:
  /// they may miss observations that are added before that. Error: `deadline_exceeded`, which names
  /// the daemons that are missing.
  caf::error ready(timespan within = timeout) const;

  /// The same without waiting: `then` is called once, on a thread of the actor system, where it
  /// must not wait. If the ensemble ends before, it is called with an error.
  void on_ready(std::function<void(const caf::error&)> then, timespan within = timeout) const;

  /// Adds an observation as the daemon "program", which is the program itself.
  caf::expected<receipt> add(observation_draft draft, timespan within = timeout) const;

  /// Adds it for another caller, such as `as_user("ann")`. `invalid_request` about `by` if the
  /// caller has no name.
  caf::expected<receipt> add(
    const caller& by, observation_draft draft, timespan within = timeout) const;

  /// Queries the page. A query whose `by` was not set is the program's own. `invalid_request` about
  /// `by` if it was set to a caller without a name, such as `as_user("")`.
  caf::expected<query_result> query(query_observations what, timespan within = timeout) const;

  /// One observation, or null if it is not on the page.
  caf::expected<observation_ptr> get(
    const std::string& observation_id, timespan within = timeout) const;

  /// Changes an observation. A change whose `by` was not set is the program's own. Errors about
  /// `by` are those of `query`.
  caf::expected<receipt> update(update_observation what, timespan within = timeout) const;

  /// Runs a turn and waits for its result. A turn with `hold`, or in the background, is answered
  /// early; `end_turn` or `await_turn` then give its final result.
  caf::expected<turn_result> run_turn(begin_turn what, timespan within = turn_timeout) const;

  /// Begins a turn that stays open until `end_turn`, and waits until the daemons have done their
  /// part of it.
  caf::expected<turn_result> begin_held_turn(begin_turn what, timespan within = turn_timeout) const;

  /// Waits until a turn has ended.
  caf::expected<turn_result> await_turn(
    const std::string& turn_id, timespan within = turn_timeout) const;

  /// Ends a turn that is held open, and waits for its result.
  caf::expected<turn_result> end_turn(
    const std::string& turn_id, timespan within = turn_timeout) const;

  /// Calls `tell` for every later event of the observations that `filter` selects, in order, one at
  /// a time and each once. Events are of every kind, so look at `kind`: an observation is `added`,
  /// `updated` or `linked`, and it leaves the page `archived`, `expired` or `evicted`. A filter
  /// without `status` selects observations of every status here.
  ///
  /// The subscription has a thread of its own, on which `tell` may wait, for example in a call of
  /// this ensemble. On virtual time it is the thread of the driver, and `tell` must not wait. Turns
  /// do not wait for `tell`. If it is much slower than the page, it gets one event `lagged`,
  /// without an observation, in place of those that it has missed; then one event `current` for
  /// each observation that the filter selects now; then the later events. If it throws, the
  /// subscription ends (see `event_subscription::end`).
  ///
  /// Errors: `invalid_request` about `tell` if it is empty, and about a filter with too many
  /// values; `overloaded` if there is no thread, or the page has too many subscribers.
  caf::expected<event_subscription> on_event(observation_filter filter,
    std::function<void(const page_event&)> tell, timespan within = timeout) const;

  // -- for actors ------------------------------------------------------------------------

  const std::string& agent_id() const;
  const scratch_page_actor& page() const;
  const frontal_cortex_actor& cortex() const;
  const consciousness_actor& consciousness() const;
  const toolbox_actor& tools() const;
  const episodic_memory_actor& episodes() const;
  const semantic_memory_actor& facts() const;
  const working_memory_actor& working_memory() const;
  const memories_actor& memories() const;
  const turns_actor& turns() const;
  const file_keeper_actor& files() const;
  const scratchbook_actor& scratchbooks() const;
  const conversations_actor& conversations() const;

  /// The names of the daemons that turns wait for, as `subscribers` counts them.
  std::vector<std::string> team() const;

  /// The number of daemons that turns wait for, your own and those elsewhere included. They
  /// subscribe to the page soon after they are spawned.
  uint64_t subscribers() const;

  // -- your own daemons ------------------------------------------------------------------

  /// The setup for a daemon of your own that you spawn yourself and end before the ensemble. A
  /// stored agent stays open as long as a copy of it exists, since it has the trace.
  daemon_setup for_daemons() const;

  /// Spawns a daemon of your own, a class that derives from `daemon`. `Daemon::name` is the name
  /// that it passes to `daemon`; `ready` waits for this name. It ends with the ensemble. A turn
  /// that begins before `ready` may not wait for it. May be called from any thread.
  template <class Daemon, class... Ts>
  subscriber_actor add_daemon(Ts&&... xs) {
    auto result = spawn<Daemon>(system(), for_daemons(), std::forward<Ts>(xs)...);
    join(result, Daemon::name);
    return result;
  }

private:
  class members;

  explicit ensemble(std::unique_ptr<members> x);
  caf::actor_system& system() const;
  void join(const subscriber_actor& x, std::string name);

  std::unique_ptr<members> members_;
};

} // namespace scratchpage
