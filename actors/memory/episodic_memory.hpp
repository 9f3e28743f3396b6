#pragma once

#include <memory>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"

namespace scratchpage {

/// How long those wait who ask an EPISODIC MEMORY from outside.
struct episodic_patience {
  timespan list = from_milliseconds(query_limits::waiting_ms); ///< for a list of turns
  timespan query = list;                                       ///< for whole episodes
};

/// The EPISODIC MEMORY of one agent: what happened, turn by turn (contract 9).
/// An episode is stored when it is answered. What is recorded, and what the ensemble
/// asks, comes before what waits from outside.
class episodic_memory {
public:
  using handle = episodic_memory_actor;
  static constexpr const char* name = "episodic_memory";

  /// `store` is not null and belongs to this actor alone.
  episodic_memory(handle::pointer self, const agent_context& agent,
    std::shared_ptr<episodic_store> store, episodic_patience patience = {});

  handle::behavior_type make_behavior();

private:
  caf::result<void> record(record_episode& request);
  caf::expected<episode_list> query(const query_episodes& request);
  caf::expected<turn_list> list(const list_turns& request);
  void purge(const purge_observations& request);

  std::shared_ptr<episodic_store> store_;
  tracer trace_;
  episodic_patience patience_;
  outside_requests<handle::pointer> outside_;
};

} // namespace scratchpage
