#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/host/ensemble_setup.hpp"
#include "scratchpage/runtime/host/event_subscription.hpp"

namespace scratchpage {

struct config;
struct hosted_setup;

/// The whole team of one agent in one process: the page, the Frontal Cortex,
/// the Consciousness, the daemons, the tools, the memories and the turns.
/// Everything ends with the ensemble. The actor system must outlive it.
///
/// The calls that wait are for threads of the program, also for several at once. Actors use the
/// handles instead. Each call gives `deadline_exceeded` (see `code_of`) if it takes longer than
/// `within`.
class ensemble {
public:
  static constexpr timespan timeout = std::chrono::seconds{30};
  static constexpr timespan turn_timeout = std::chrono::minutes{10};

  /// Makes an agent that is not stored. Throws std::invalid_argument if `setup` names a daemon that
  /// does not exist, and std::system_error if the system has no thread for one.
  explicit ensemble(caf::actor_system& system, ensemble_setup setup = {});

  /// As above, for hosts of agents within the library.
  ensemble(caf::actor_system& system, hosted_setup setup);

  ensemble(ensemble&&) noexcept;
  ensemble& operator=(ensemble&&) noexcept;

  /// If the agent is stored, waits for ten seconds at most until its history is written and other
  /// processes can open it.
  ~ensemble();

  /// Stores the agent in an SQLite database in the directory `where`, which is created if needed,
  /// or in a PostgreSQL database if `where` is a connection string, `postgresql://…` or `host=…`.
  /// Recovers what an earlier process has stored there. Only one process at a time can use the
  /// directory. Errors: `invalid_request` if the setup names a daemon that does not exist;
  /// `storage_unavailable`, with the reason; `forbidden` if other users may change the directory;
  /// `internal` if the data is damaged; `overloaded` if there is no thread.
  static caf::expected<ensemble> open(
    caf::actor_system& system, const std::string& where, ensemble_setup setup = {});

  /// The data that recovery had to discard, for people; "": none.
  const std::string& damage() const;

  // -- calls that wait -------------------------------------------------------------------

  /// Waits until all daemons have subscribed to the page, your own included: they may miss
  /// observations that are added before that. Error: `deadline_exceeded`.
  caf::error ready(timespan within = timeout) const;

  /// The same without waiting: `then` is called once, on a thread of the actor system.
  void on_ready(std::function<void(const caf::error&)> then, timespan within = timeout) const;

  /// Adds an observation as the daemon "program", which is the program itself.
  caf::expected<receipt> add(observation_draft draft, timespan within = timeout) const;

  /// Adds it for another caller, such as `as_user("ann")`.
  caf::expected<receipt> add(
    const caller& by, observation_draft draft, timespan within = timeout) const;

  /// Queries the page. A query without a caller is the program's own.
  caf::expected<query_result> query(query_observations what, timespan within = timeout) const;

  /// One observation, or null if it is not on the page.
  caf::expected<observation_ptr> get(
    const std::string& observation_id, timespan within = timeout) const;

  /// Changes an observation. A change without a caller is the program's own.
  caf::expected<receipt> update(update_observation what, timespan within = timeout) const;

  /// Runs a turn and waits for its result. A turn with `hold`, or in the background, is answered
  /// early; `end_turn` or `await_turn` then give its final result.
  caf::expected<turn_result> begin_turn(
    scratchpage::begin_turn what, timespan within = turn_timeout) const;

  /// Begins a turn that stays open until `end_turn`, and waits until the daemons have done their
  /// part of it.
  caf::expected<turn_result> hold_turn(
    scratchpage::begin_turn what, timespan within = turn_timeout) const;

  /// Waits until a turn has ended.
  caf::expected<turn_result> await_turn(
    const std::string& turn_id, timespan within = turn_timeout) const;

  /// Ends a turn that is held open, and waits for its result.
  caf::expected<turn_result> end_turn(
    const std::string& turn_id, timespan within = turn_timeout) const;

  /// Calls `tell` for every later event of the observations that `filter` selects, in order and one
  /// at a time, on a thread of the actor system. Turns do not wait for `tell`. If it is much slower
  /// than the page, it gets one event `lagged`, without an observation, in place of those that it
  /// has missed.
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
  const turns_actor& turns() const;
  const file_keeper_actor& files() const;
  const scratchbook_actor& scratchbooks() const;
  const conversations_actor& conversations() const;

  /// The number of actors that subscribe to the page, your own daemons included. They subscribe
  /// soon after they are spawned.
  uint64_t subscribers() const;

  // -- your own daemons ------------------------------------------------------------------

  /// The setup for a daemon of your own.
  daemon_setup for_daemons() const;

  /// Spawns a daemon of your own, a class that derives from `daemon`. It ends with the ensemble. A
  /// turn that begins before `ready` may not wait for it.
  template <class Daemon, class... Ts>
  subscriber_actor add_daemon(Ts&&... xs) {
    auto result = spawn<Daemon>(system(), for_daemons(), std::forward<Ts>(xs)...);
    adopt(result);
    return result;
  }

  /// Spawns the Executor in any actor system that can reach the other actors, which may be in
  /// another process. `executor_node` also has its tools.
  static subscriber_actor spawn_executor(caf::actor_system& system, daemon_setup setup,
    const config& with, toolbox_actor tools, consciousness_actor consciousness,
    const policy_factories& own = {});

private:
  class members;

  explicit ensemble(std::unique_ptr<members> x);
  caf::actor_system& system() const;
  void adopt(const subscriber_actor& x);

  std::unique_ptr<members> members_;
};

} // namespace scratchpage
