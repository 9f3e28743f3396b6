#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"

namespace scratchpage {

/// The actors of one ensemble.
class ensemble::members {
public:
  members(caf::actor_system& in, hosted_setup setup);
  members(const members&) = delete;
  members& operator=(const members&) = delete;
  ~members();

  /// The setup for a daemon.
  daemon_setup for_daemons() const;

  template <class Handle>
  Handle adopt(Handle x) {
    all_.push_back(caf::actor_cast<caf::actor>(x));
    return x;
  }

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
  turns_actor turns;
  file_keeper_actor files;
  scratchbook_actor scratchbooks;
  conversations_actor conversations;
  std::atomic<uint64_t> subscribers = 0;
  std::string damage;
  /// Ready when another process can open the history of a stored agent again.
  std::future<void> is_free;

private:
  void end();
  void spawn_services(hosted_setup& setup);
  void spawn_cortex(hosted_setup& setup);
  void spawn_files(hosted_setup& setup);
  void spawn_tools(hosted_setup& setup);
  std::vector<tool_source> spawn_tool_servers(const hosted_setup& setup);
  void spawn_memories(hosted_setup& setup);
  void spawn_conversations(const hosted_setup& setup, manifest_list manifests);
  compactor_actor compactor_of(const hosted_setup& setup);
  void spawn_daemons(const hosted_setup& setup);
  void spawn_deciding_daemons(const hosted_setup& setup);
  bool is_here(const ensemble_setup& setup, const char* daemon);

  std::shared_ptr<const pii_masker> arrivals_; // masks what is added; null: it is not masked
  daemon_config daemon_limits_;
  std::vector<caf::actor> all_; // in the order in which they were spawned
};

/// `invalid_request` if `without` or `elsewhere` names a daemon that does not exist.
caf::error check_daemons(const ensemble_setup& setup);

} // namespace scratchpage
