#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"

namespace scratchpage {

/// Moves goals when turns end (contract 8): by what was linked to them, and by
/// what was resolved, since the last end.
class goal_settlement {
public:
  /// Beyond `max_waiting` linked or resolved observations the oldest is forgotten.
  /// @pre `goals` and `progress` outlive it
  goal_settlement(goal_book& goals, const goal_progress& progress, uint64_t max_waiting);

  /// An observation is linked to a goal that was there before; `is_from_outside` as in
  /// goal_progress.
  void linked(std::string goal_id, observation_ptr x, bool is_from_outside);

  /// An observation was resolved, or what is resolved was changed. Only one that names an
  /// action counts, as it was when it was resolved.
  void resolved(observation_ptr x);

  /// Those that `is_meant` are not waited with any more.
  void forget(const std::function<bool(const observation&)>& is_meant);

  /// Gives the goals that the turn's observations are about and those that
  /// moved. What another turn linked waits for that turn's end.
  goal_list settle(const settle_goals& request);

private:
  struct link {
    std::string goal_id;
    observation_ptr observation;
    bool is_from_outside = false;
  };

  void settle_links(const settle_goals& request, std::vector<std::string>& moved);
  void settle_resolved(const settle_goals& request, std::vector<std::string>& moved);

  goal_book& goals_;
  const goal_progress& progress_;
  uint64_t max_waiting_;
  std::vector<link> links_;
  std::vector<observation_ptr> resolved_;
};

} // namespace scratchpage
