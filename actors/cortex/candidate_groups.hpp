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
  const promotion_rule* rule = nullptr; ///< null: they only name the goal
  std::string goal_id;                  ///< of an existing goal, "" for a new one
  std::vector<observation_ptr> observations;
  caller by;
  /// The program from outside that its goal counts for; "" if one of the candidates counts for
  /// none.
  std::string counts_for = {};
  relation_marks marks = {}; ///< of those that have no goal yet
  /// The ids of those that count for any program from outside.
  std::set<std::string> from_outside = {};
  verdict said = {}; ///< of the Consciousness, once it was asked

  /// Whether they are enough for a goal of their rule.
  bool is_complete() const;
};

using candidate_group_ptr = std::shared_ptr<candidate_group>;

/// The groups of candidates that came together.
class candidate_batch {
public:
  explicit candidate_batch(size_t shared_tags)
    : related_{shared_tags} {}

  const std::vector<candidate_group_ptr>& groups() const { return groups_; }

private:
  friend class candidate_groups;

  std::vector<candidate_group_ptr> groups_;
  relation_index related_; // by place, of those that have no goal yet
  std::map<std::string, size_t> of_goal_;
};

/// Sorts candidates by the goal they belong to (contract 8), and keeps those
/// that are too few for one in mind. The work for a candidate does not grow with what there is
/// that it has nothing to do with.
class candidate_groups {
public:
  /// Beyond `max_waiting` groups the oldest is forgotten: of the program from outside that has the
  /// most, if any of them waits.
  /// @pre `rules` and `goals` outlive it
  candidate_groups(const promotion_rules& rules, const goal_book& goals, uint64_t max_waiting);

  /// Puts a candidate into the group of its goal, else of related candidates,
  /// those that wait included, else into one of its own. One that only names a
  /// goal that does not exist goes nowhere: false. A group that has as many as a goal takes
  /// stays as it is.
  bool add(const promotion_candidate& x, candidate_batch& to);

  /// Until related candidates come.
  void wait(candidate_group_ptr x);

  /// An observation that left the page is no candidate any more.
  void forget(const std::string& observation_id);

private:
  void join_goal(const promotion_candidate& x, const std::string& goal_id, candidate_batch& to);
  void join_related(const promotion_candidate& x, const relation_marks& marks, candidate_batch& to);
  candidate_group_ptr take_waiting(const relation_marks& x);
  void add_marks(candidate_group& to, const observation& x) const;
  void keep_waiting(uint64_t number, candidate_group_ptr x);
  candidate_group_ptr take_out(uint64_t number);
  uint64_t least_missed() const;

  const promotion_rules& rules_;
  const goal_book& goals_;
  uint64_t max_waiting_;
  std::map<uint64_t, candidate_group_ptr> waiting_;       // the oldest first
  std::map<std::string, std::set<uint64_t>> waiting_for_; // by the program that they count for
  relation_index related_;                                // of those that wait
  uint64_t last_number_ = 0;
};

} // namespace scratchpage
