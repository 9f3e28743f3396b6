#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/page/page_change.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/page/source_shares.hpp"
#include "scratchpage/actors/page/turn_ledger.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/page_operations.hpp"

namespace scratchpage {

/// Which observations of a page are evidence of open goals. An observation may be evidence of
/// several goals, and need not be evidence of all goals that it is linked to.
class evidence_index {
public:
  /// Whether the goal has as much evidence as it may have.
  bool is_full(const std::string& goal_id) const {
    auto goal = by_goal_.find(goal_id);
    return goal != by_goal_.end() && goal->second.size() >= goal_limits::observations;
  }

  /// Whether the observation is evidence of at least one of these goals.
  bool contains(uint64_t number, const std::vector<std::string>& goal_ids) const {
    return std::any_of(goal_ids.begin(), goal_ids.end(), [&](const std::string& id) {
      auto goal = by_goal_.find(id);
      return goal != by_goal_.end() && goal->second.contains(number);
    });
  }

  void add(const std::string& goal_id, uint64_t number) { by_goal_[goal_id].insert(number); }

  /// Returns whether the observation was evidence of the goal.
  bool remove(const std::string& goal_id, uint64_t number) {
    auto goal = by_goal_.find(goal_id);
    if (goal == by_goal_.end() || goal->second.erase(number) == 0)
      return false;
    if (goal->second.empty())
      by_goal_.erase(goal);
    return true;
  }

  void remove(const std::vector<std::string>& goal_ids, uint64_t number) {
    for (const auto& id : goal_ids)
      remove(id, number);
  }

  /// Removes a goal that is not open any more. Returns the numbers of its evidence.
  std::set<uint64_t> close(const std::string& goal_id) {
    auto node = by_goal_.extract(goal_id);
    return node.empty() ? std::set<uint64_t>{} : std::move(node.mapped());
  }

  /// The memory, about, that this index takes.
  uint64_t memory() const {
    constexpr uint64_t of_entry = 64;
    uint64_t entries = 2 * by_goal_.size();
    for (const auto& [goal_id, numbers] : by_goal_)
      entries += numbers.size();
    return entries * of_entry;
  }

private:
  std::map<std::string, std::set<uint64_t>> by_goal_; // numbers of observations; none is empty
};

/// Which observations of a page are protected, that is, never evicted: open questions and alerts,
/// and evidence of open goals. Each source from outside may have only so many of them. A question
/// or an alert of the ensemble in a turn counts for the caller from outside that began the turn.
class protection {
public:
  /// The arguments outlive this object. `order` is told which observations may be evicted.
  protection(const page_config& limits, const turn_ledger& turns, eviction_order& order)
    : limits_{limits},
      turns_{turns},
      order_{order} {}

  /// How much of the page each source takes.
  source_shares& shares() { return shares_; }
  const source_shares& shares() const { return shares_; }

  // -- what is protected ------------------------------------------------------------------

  /// Whether the observation is a question or an alert.
  static bool is_protected_type(const observation& x);

  /// Whether the observation is never evicted (contract 13): an open question or alert, or evidence
  /// of an open goal.
  bool is_protected(uint64_t number, const observation& x) const {
    return is_open(number, x) || is_evidence(number, x);
  }

  /// Protects the observation, or ends its protection, according to its present state, and counts
  /// it for its source.
  void update(uint64_t number, const observation& x);

  /// The observation has grown. If it is evidence and there is no room for it any more, it is
  /// evidence no longer.
  void release_grown(uint64_t number, const observation& x);

  /// The observation has left the page.
  void forget(uint64_t number, const observation& x);

  // -- limits of the sources ----------------------------------------------------------------

  /// Whether `by` may add `x`. Error: `overloaded`. Notes whether the name of `by` was checked,
  /// because any observation may become evidence.
  caf::error check_share(const observation& x, size_t bytes, const caller& by);

  /// Whether `by` may let `before` grow by so many bytes. Error: `overloaded`. The growth is noted
  /// in `planned`, so that it counts while the change is on its way.
  caf::error check_growth(
    page_change& planned, const observation& before, int64_t growth, const caller& by);

  /// The share of a source. Notes whether the source is from outside, and whether its name was
  /// checked.
  source_shares::share share_of(const source& x, const caller& by);

  /// The share that pays for a turn; empty if the turn is not begun from outside.
  turn_ledger::payer payer_of(const open_turn& x);

  /// The program from outside for which a goal counts that comes from this observation; "" if the
  /// observation comes from a person, the ensemble or the embedding program.
  const std::string& program_of(const observation& x, bool is_restored);

  // -- charges ------------------------------------------------------------------------------

  /// A question or an alert will be added. It counts for its source, or, if the ensemble adds it in
  /// a turn, for the caller from outside that began the turn.
  void note_planned(page_change& planned, const caller& by);

  /// Counts changes that go to storage (`sign` 1), or that have arrived or were refused (-1).
  void count_staged(const page_changes& changes, int64_t sign);

  /// Charges an observation that was on the page before the last start: it is not known any more
  /// who began its turn.
  void charge_restored(uint64_t number, const observation& x, int64_t bytes);

  /// The observation is not protected any more, or was not added after all.
  void forget_charge(uint64_t number);

  // -- evidence -----------------------------------------------------------------------------

  /// Makes the observation evidence of an open goal, if its source has room for it. The room is
  /// limited because anybody can make an observation evidence by naming the goal.
  void add_evidence(const std::string& goal_id, uint64_t number, const observation& x);

  /// Returns whether the observation was evidence of the goal. The caller calls `update` for it.
  bool remove_evidence(const std::string& goal_id, uint64_t number) {
    return evidence_.remove(goal_id, number);
  }
  /// Returns the numbers of the goal's evidence. The caller calls `update` for each.
  std::set<uint64_t> close_goal(const std::string& goal_id) { return evidence_.close(goal_id); }

  // -- a rest -------------------------------------------------------------------------------

  /// A share, and bytes that it pays for.
  using charged = std::pair<source_shares::share, int64_t>;

  /// All that this object knows, except for what `order` was told.
  struct memory {
    source_shares shares;
    evidence_index evidence;
    std::map<uint64_t, charged> charges;
    std::set<uint64_t> beyond_share;

    /// The memory, about, that it takes.
    uint64_t bytes() const;
  };
  /// Moves out what this object knows; it is not used any more.
  memory take_memory();
  void restore(memory x);

private:
  bool is_open(uint64_t number, const observation& x) const;
  bool is_evidence(uint64_t number, const observation& x) const;
  bool may_protect(const std::string& goal_id, uint64_t number, const observation& x);
  bool has_room_for_evidence(source_shares::share of, size_t bytes) const;
  caf::error check_bytes(
    source_shares::share of, const source& x, int64_t growth, std::string_view field) const;
  std::string whose(source_shares::share of, const source& x) const;
  uint64_t open_by(source_shares::share x) const;
  uint64_t evidence_by(source_shares::share x) const;
  uint64_t bytes_by(source_shares::share x) const;
  turn_ledger::payer speaks_for(const observation& x, bool is_restored);
  void charge_asker(const page_change& planned, const caller& by);
  void charge(source_shares::share payer, uint64_t number, int64_t bytes);

  const page_config& limits_;
  const turn_ledger& turns_;
  eviction_order& order_;
  source_shares shares_;
  evidence_index evidence_;
  /// Questions and alerts of the ensemble in turns that were begun from outside: the share that
  /// each counts for, and its bytes.
  std::map<uint64_t, charged> charged_;
  std::set<uint64_t> beyond_share_; // others of these, not protected because the share is used up
};

} // namespace scratchpage
