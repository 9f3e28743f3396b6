#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/page/page_memory.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/host/kept_agent.hpp"

namespace scratchpage {

/// What an ensemble is made of; the defaults make a working one.
struct ensemble_setup {
  std::string agent_id = "agent";
  scratchpage::config config = default_config();
  std::vector<tool_definition> tools;
  std::shared_ptr<const scratchpage::clock> clock; ///< null: the wall clock
  std::shared_ptr<trace_sink> trace;               ///< null: nothing is traced
  kept_agent kept;                                 ///< by default nothing is
  std::shared_ptr<page_memory> memory;             ///< of all pages of a host; null: no bound
  compactor_actor compactor;                       ///< null: as the configuration has it
  /// Tells MCP servers to which trace a call belongs; empty: nobody does.
  std::function<std::string(const tool_request&)> traceparent;
  uint64_t seed = 1;           ///< of recorded tools' latencies
  bool allow_threads = true;   ///< false under virtual time; then there are no MCP servers either
  bool system_analyzer = true; ///< the optional daemon
  bool executor = true;        ///< false: turns wait until one came from another node
};

/// The whole team of one agent in one process: the page, the Frontal Cortex,
/// the Consciousness, the daemons, the tools, the memories and the turns.
/// Everything ends with the ensemble. The actor system must outlive it.
class ensemble {
public:
  ensemble(caf::actor_system& system, ensemble_setup setup);
  ensemble(const ensemble&) = delete;
  ensemble& operator=(const ensemble&) = delete;
  ~ensemble();

  const std::string& agent_id() const { return agent_.agent_id; }
  const scratch_page_actor& page() const { return page_; }
  const frontal_cortex_actor& cortex() const { return cortex_; }
  const consciousness_actor& consciousness() const { return consciousness_; }
  const toolbox_actor& tools() const { return tools_; }
  const episodic_memory_actor& episodes() const { return episodes_; }
  const semantic_memory_actor& facts() const { return facts_; }
  const working_memory_actor& working_memory() const { return working_memory_; }
  const turns_actor& turns() const { return turns_; }
  const file_keeper_actor& files() const { return files_; }
  const scratchbook_actor& scratchbooks() const { return scratchbooks_; }
  const conversations_actor& conversations() const { return conversations_; }

  /// How many of them subscribe to the page. They do so on their own, soon after
  /// they are spawned; what is added before they have, they may not hear of.
  uint64_t subscribers() const { return subscribers_; }

  /// What a daemon of one's own is given.
  daemon_setup for_daemons() const;

  /// Spawns a daemon of one's own: a class that derives from `daemon`. It ends
  /// with the ensemble. A turn that begins right after may not wait for it.
  template <class Daemon, class... Ts>
  subscriber_actor add_daemon(Ts&&... xs) {
    auto result = spawn<Daemon>(system_, for_daemons(), std::forward<Ts>(xs)...);
    adopt(result);
    return result;
  }

  /// Spawns the Executor in any actor system that can reach the others, which
  /// may live in another process.
  static subscriber_actor spawn_executor(caf::actor_system& system, daemon_setup setup,
    const config& with, toolbox_actor tools, consciousness_actor consciousness);

private:
  void end();
  template <class Handle>
  Handle adopt(Handle x) {
    members_.push_back(caf::actor_cast<caf::actor>(x));
    return x;
  }

  void spawn_services(ensemble_setup& setup);
  std::vector<tool_source> spawn_tool_servers(const ensemble_setup& setup);
  compactor_actor compactor_of(const ensemble_setup& setup);
  void spawn_daemons(const ensemble_setup& setup);

  caf::actor_system& system_;
  agent_context agent_;
  std::shared_ptr<const pii_masker> arrivals_; // masks them; null: they stay as they are
  daemon_config daemon_limits_;
  std::vector<caf::actor> members_; // in the order in which they were spawned
  scratch_page_actor page_;
  consciousness_actor consciousness_;
  frontal_cortex_actor cortex_;
  toolbox_actor tools_;
  episodic_memory_actor episodes_;
  semantic_memory_actor facts_;
  working_memory_actor working_memory_;
  turns_actor turns_;
  file_keeper_actor files_;
  scratchbook_actor scratchbooks_;
  conversations_actor conversations_;
  uint64_t subscribers_ = 0;
};

} // namespace scratchpage
