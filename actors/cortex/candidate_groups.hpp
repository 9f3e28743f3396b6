#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/actors/cortex/relation_index.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"

namespace scratchpage {

/// Related candidates that make a goal together or join one.
struct candidate_group {
  const promotion_rule* rule = nullptr; ///< null: no rule matches, they only name the goal
  std::string goal_id;                  ///< of an existing goal, "" for a new one
  std::vector<observation_ptr> observations;
  caller by;
  /// The outside program that the goal is charged to (goal_progress.hpp); "" if one of the
  /// candidates is charged to none.
  std::string counts_for = {};
  relation_marks marks = {}; ///< what relates it to other candidates; unused if it has a goal
  /// The ids of the observations that are charged to an outside program.
  std::set<std::string> from_outside = {};
  verdict said = {}; ///< the Consciousness's verdict, once it was asked

  /// Whether it has as many observations as its rule requires.
  bool is_complete() const;
};

using candidate_group_ptr = std::shared_ptr<candidate_group>;

/// The groups that one batch of candidates is sorted into.
class candidate_batch {
public:
  explicit candidate_batch(size_t shared_tags)
    : related_{shared_tags} {}

  const std::vector<candidate_group_ptr>& groups() const { return groups_; }

private:
  friend class candidate_groups;

  std::vector<candidate_group_ptr> groups_;
  relation_index related_;                // groups without a goal, by their index in `groups_`
  std::map<std::string, size_t> of_goal_; // goal id to index in `groups_`
};

/// Groups candidates by the goal they belong to (contract 8), and keeps groups that are too small
/// for a goal until more candidates come. The cost of adding a candidate depends only on the
/// goals and groups that share a mark with it.
class candidate_groups {
public:
  /// If more than `max_waiting` groups wait, one is dropped: the oldest of the outside program
  /// with the most waiting groups, or the oldest of all if no outside program has one.
  /// @pre `rules` and `goals` outlive it
  candidate_groups(const promotion_rules& rules, const goal_book& goals, uint64_t max_waiting);

  /// Adds a candidate to the group of its goal, else to a group of related candidates (waiting
  /// groups included), else to a new group. Returns false, and adds nothing, if no rule matches
  /// and the goal that the candidate names does not exist. A group that already has
  /// `goal_limits::observations` stays as it is.
  bool add(const promotion_candidate& x, candidate_batch& to);

  /// Keeps the group until related candidates come.
  void wait(candidate_group_ptr x);

  /// The waiting groups, for a rest: without the rules, which the cortex owns.
  struct kept_group {
    uint64_t number;
    std::string rule_id; ///< "": it has none
    candidate_group group;
  };
  struct kept_groups {
    std::vector<kept_group> groups; ///< the oldest first
    uint64_t last_number = 0;

    uint64_t bytes() const; ///< of memory, about
  };

  kept_groups take_waiting();
  void restore(kept_groups x);

  /// Removes an observation that has left the page from the waiting groups.
  void forget(const std::string& observation_id);

private:
  void join_goal(const promotion_candidate& x, const std::string& goal_id, candidate_batch& to);
  void join_related(const promotion_candidate& x, const relation_marks& marks, candidate_batch& to);
  candidate_group_ptr take_waiting(const relation_marks& x);
  void add_marks(candidate_group& to, const observation& x) const;
  void keep_waiting(uint64_t number, candidate_group_ptr x);
  candidate_group_ptr take_out(uint64_t number);
  uint64_t next_to_drop() const;

  const promotion_rules& rules_;
  const goal_book& goals_;
  uint64_t max_waiting_;
  std::map<uint64_t, candidate_group_ptr> waiting_;       // by number, the oldest first
  std::map<std::string, std::set<uint64_t>> waiting_for_; // their numbers, by `counts_for`
  relation_index related_;                                // the waiting groups, by number
  uint64_t last_number_ = 0;
};

} // namespace scratchpage
