#include "scratchpage/actors/memory/episodic_memory.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/memory/memory_components.hpp"
#include "scratchpage/actors/turns/turn_outcome.hpp"
#include "scratchpage/messages/query_limit.hpp"
#include "scratchpage/persistence/memories/episode_limits.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"

namespace scratchpage {

namespace {

/// Sums up stories one after the other, none of which it keeps.
class summing {
public:
  explicit summing(uint32_t limit)
    : limit_{limit} {}

  /// Whether it takes a further one. It ends only between two turns that ended at different
  /// times, so that who goes on before the last one's misses none.
  bool take(const episode& x) {
    auto ended_at = to_milliseconds(x.ended_at);
    if (bytes_ > episode_limits::listed_bytes && ended_at != last_) {
      result_.next_before = last_;
      return false;
    }
    bytes_ += memory_of(x);
    last_ = ended_at;
    result_.turns.push_back(summary_of(x));
    return result_.turns.size() < limit_;
  }

  turn_list& result() { return result_; }

private:
  uint32_t limit_;
  size_t bytes_ = 0;
  timestamp last_;
  turn_list result_;
};

} // namespace

episodic_memory::episodic_memory(handle::pointer self, const agent_context& agent,
  std::shared_ptr<episodic_store> store, episodic_patience patience)
  : store_{std::move(store)},
    trace_{agent, name, episodic_memory_component},
    patience_{patience},
    outside_{self, agent.clock, [this](const caller& by, const caf::error& err) {
               trace_.write_error("query_episodes", by, err);
             }} {}

episodic_memory::handle::behavior_type episodic_memory::make_behavior() {
  return {
    [this](record_episode& request) { return record(request); },
    [this](const query_episodes& request) {
      return outside_.answer<episode_list>(
        request.by, patience_.query, [this, request] { return query(request); });
    },
    [this](const list_turns& request) {
      return outside_.answer<turn_list>(
        request.by, patience_.list, [this, request] { return list(request); });
    },
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

caf::expected<episode_list> episodic_memory::query(const query_episodes& request) {
  auto found = store_->query(request);
  if (!found) {
    trace_.write_error("query_episodes", request.by, found.error());
    return found.error();
  }
  trace_.write("query_episodes", request.by, {{"found", found->episodes.size()}});
  return found;
}

caf::expected<turn_list> episodic_memory::list(const list_turns& request) {
  query_episodes what;
  what.by = request.by;
  what.before = request.before;
  summing sum{request.limit};
  auto err = check_limit(request.limit);
  if (!err)
    err = store_->visit(what, [&sum](const episode& x) { return sum.take(x); });
  if (err) {
    trace_.write_error("query_episodes", request.by, err);
    return err;
  }
  trace_.write("query_episodes", request.by, {{"found", sum.result().turns.size()}});
  return std::move(sum.result());
}

void episodic_memory::purge(const purge_observations& request) {
  store_->purge(purger{request});
  trace_.write(
    "purge_observations", request.by, {{"observations", request.observation_ids.size()}});
}

} // namespace scratchpage
