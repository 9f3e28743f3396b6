#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/ensemble_calls.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/host/roster.hpp"

namespace scratchpage {

/// The actors of one ensemble.
class ensemble::members {
public:
  /// Throws std::invalid_argument if `check_setup` refuses the setup, std::system_error if there is
  /// no thread, and what a factory of a policy throws.
  members(caf::actor_system& in, hosted_setup setup);
  /// Recovers an agent from `where`. `users` waits for those who use the storage, until the members
  /// wait themselves.
  static caf::expected<std::unique_ptr<members>> open(caf::actor_system& system,
    const std::string& where, hosted_setup setup, const end_watch& users);

  members(const members&) = delete;
  members& operator=(const members&) = delete;
  ~members();

  /// The setup for a daemon of the ensemble.
  daemon_setup for_daemons() const;

  /// The setup for a daemon of the program. Each has another number.
  daemon_setup for_own_daemon();

  /// From now on the actor ends with the ensemble. May be called from any thread.
  template <class Handle>
  Handle adopt(Handle x) {
    return all_->adopt(std::move(x));
  }

  /// Adopts a daemon of the program. `name` is the name under which it subscribes to the page.
  void join(const subscriber_actor& x, std::string name);

  /// The names of the daemons that turns wait for.
  std::vector<std::string> team() const { return all_->team(); }

  /// A function that gives the names of `team`, also after the members have ended.
  std::function<std::vector<std::string>()> names_of_team() const;

  caf::actor_system& system;
  virtual_time_driver* driver;
  agent_context agent;
  scratch_page_actor page;
  consciousness_actor consciousness;
  frontal_cortex_actor cortex;
  toolbox_actor tools;
  episodic_memory_actor episodes;
  semantic_memory_actor facts;
  working_memory_actor working_memory;
  memories_actor memories;
  turns_actor turns;
  file_keeper_actor files;
  scratchbook_actor scratchbooks;
  conversations_actor conversations;
  std::string damage;
  bool has_threads; ///< whether actors may have threads of their own
  end_watch ended;

private:
  void spawn_services(hosted_setup& setup);
  void spawn_cortex(hosted_setup& setup);
  void spawn_files(hosted_setup& setup);
  void spawn_tools(hosted_setup& setup);
  std::vector<tool_source> spawn_tool_servers(const hosted_setup& setup);
  void spawn_memories(hosted_setup& setup);
  void spawn_conversations(const hosted_setup& setup, manifest_list manifests);
  compactor_actor compactor_of(const hosted_setup& setup);
  void spawn_team(hosted_setup& setup);
  void spawn_turns(const hosted_setup& setup);

  std::shared_ptr<const pii_masker> arrivals_; // masks what is added; null: it is not masked
  std::shared_ptr<const pii_masker> exports_;  // masks what models are told; null: likewise
  daemon_config daemon_limits_;
  bool is_embedded_;
  std::atomic<uint32_t> next_number_ = static_cast<uint32_t>(component::first_custom);
  std::shared_ptr<roster> all_;
};

/// The policies that agents with this configuration may share.
std::shared_ptr<const shared_policies> shared_policies_of(const config& with);

/// The setup for an ensemble that a program embeds.
hosted_setup embedded(ensemble_setup setup);

/// The clock of the setup, of its driver, or the wall clock.
std::shared_ptr<const clock> clock_of(const ensemble_setup& setup);

/// Checks what can be wrong in a setup. `invalid_request`, which names the member: an agent's id
/// that a new agent cannot have, a tool that `validate` refuses or that has the id of one of the
/// library, a daemon that does not exist or is both left out and elsewhere, and a time for
/// decisions that is not above 0.
caf::error check_setup(const hosted_setup& setup);

/// Spawns the Executor in any actor system that can reach the other actors, which may be in another
/// process. Without `facts`, it uses none.
subscriber_actor spawn_executor(caf::actor_system& system, daemon_setup setup, const config& with,
  toolbox_actor tools, consciousness_actor consciousness, const policy_factories& own = {},
  semantic_memory_actor facts = {});

} // namespace scratchpage
