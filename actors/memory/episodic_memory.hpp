#pragma once

#include <memory>

#include "scratchpage/actors/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/episodic_store.hpp"

namespace scratchpage {

/// The EPISODIC MEMORY of one agent: what happened, turn by turn (contract 9).
/// An episode is stored when it is answered.
class episodic_memory {
public:
  using handle = episodic_memory_actor;
  static constexpr const char* name = "episodic_memory";

  /// `store` is not null and belongs to this actor alone.
  episodic_memory(
    handle::pointer self, const agent_context& agent, std::shared_ptr<episodic_store> store);

  handle::behavior_type make_behavior();

private:
  caf::result<void> record(record_episode& request);
  caf::result<episode_list> query(const query_episodes& request);
  caf::result<turn_list> list(const list_turns& request);
  void purge(const purge_observations& request);

  std::shared_ptr<episodic_store> store_;
  tracer trace_;
};

} // namespace scratchpage
