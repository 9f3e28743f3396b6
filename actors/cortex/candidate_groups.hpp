#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"

namespace scratchpage {

/// Related candidates that make a goal together or join one.
struct candidate_group {
  const promotion_rule* rule = nullptr; ///< null: they only name the goal
  std::string goal_id;                  ///< of an existing goal, "" for a new one
  std::vector<observation_ptr> observations;
  caller by;

  /// Whether they are enough for a goal of their rule.
  bool is_complete() const;
};

using candidate_group_ptr = std::shared_ptr<candidate_group>;

/// Sorts candidates by the goal they belong to (contract 8), and keeps those
/// that are too few for one in mind.
class candidate_groups {
public:
  /// Beyond `max_waiting` groups the oldest is forgotten.
  /// @pre `rules` and `goals` outlive it
  candidate_groups(const promotion_rules& rules, const goal_book& goals, uint64_t max_waiting);

  /// Puts a candidate into the group of its goal, else of related candidates,
  /// those that wait included, else into one of its own. One that only names a
  /// goal that does not exist goes nowhere: false. A group that has as many as a goal takes
  /// stays as it is.
  bool add(const promotion_candidate& x, std::vector<candidate_group_ptr>& groups);

  /// Until related candidates come.
  void wait(candidate_group_ptr x);

  /// An observation that left the page is no candidate any more.
  void forget(const std::string& observation_id);

private:
  using groups = std::vector<candidate_group_ptr>;

  const goal* goal_for(const promotion_candidate& x, const promotion_rule* rule) const;
  candidate_group_ptr take_waiting(const observation& x, const promotion_rule& rule);
  groups::iterator find_related(groups& in, const observation& x, const promotion_rule& rule) const;

  const promotion_rules& rules_;
  const goal_book& goals_;
  uint64_t max_waiting_;
  groups waiting_;
};

} // namespace scratchpage
