#include "scratchpage/actors/memory/episodic_memory.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/memory/memory_components.hpp"

namespace scratchpage {

episodic_memory::episodic_memory(
  handle::pointer, const agent_context& agent, std::shared_ptr<episodic_store> store)
  : store_{std::move(store)},
    trace_{agent, name, episodic_memory_component} {}

episodic_memory::handle::behavior_type episodic_memory::make_behavior() {
  return {
    [this](record_episode& request) { return record(request); },
    [this](const query_episodes& request) { return query(request); },
    [this](const purge_observations& request) { purge(request); },
  };
}

caf::result<void> episodic_memory::record(record_episode& request) {
  json::object detail{
    {"turn_id", request.episode.turn_id}, {"observations", request.episode.observations.size()}};
  if (auto err = store_->record(std::move(request.episode))) {
    trace_.write_error("record_episode", request.by, err, std::move(detail));
    return err;
  }
  trace_.write("record_episode", request.by, std::move(detail));
  return caf::unit;
}

caf::result<episode_list> episodic_memory::query(const query_episodes& request) {
  auto found = store_->query(request);
  if (!found) {
    trace_.write_error("query_episodes", request.by, found.error());
    return found.error();
  }
  trace_.write("query_episodes", request.by, {{"found", found->episodes.size()}});
  return std::move(*found);
}

void episodic_memory::purge(const purge_observations& request) {
  store_->purge(purger{request});
  trace_.write(
    "purge_observations", request.by, {{"observations", request.observation_ids.size()}});
}

} // namespace scratchpage
