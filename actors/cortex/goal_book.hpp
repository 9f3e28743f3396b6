#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/cortex/relation_index.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"

namespace scratchpage {

/// How many goals there may be, and about how many bytes of memory they may take.
struct goal_room {
  uint64_t max_goals;
  uint64_t max_goals_of_program; ///< open goals of one outside program
  uint64_t max_bytes;
  uint64_t max_bytes_of_program; ///< of its open goals
};

/// The goals of one agent. Each change makes a new revision, is stored before it takes effect, and
/// is traced. The callers decide which changes are allowed.
class goal_book {
public:
  /// Called after each change; `ends` says whether it completed or abandoned the goal.
  using on_change = std::function<void(const caller& by, const goal& now, bool ends)>;

  /// When there is no room, ended goals are dropped, the oldest first.
  /// @pre `rules` and `trace` outlive the book
  goal_book(const agent_context& agent, std::shared_ptr<goal_store> store, goal_room room,
    const promotion_rules& rules, tracer& trace, on_change tell);

  /// Takes the stored goals, in the order in which they were made, before anything else is asked of
  /// the book. After a rest there is room for all of them.
  void restore(std::vector<goal> goals, bool after_rest = false);

  /// The highest number that an id was given, also if its goal was refused then.
  uint64_t last_number() const { return last_number_; }

  /// Goes on after that number, which was the last one before a rest.
  void go_on_after(uint64_t last) { last_number_ = last; }

  /// Null if there is no such goal.
  const goal* find(const std::string& goal_id) const;

  /// The oldest open goal that a candidate with these marks belongs to, or null.
  const goal* related_to(const relation_marks& x) const;

  /// All goals, the oldest first. The pointers are valid until a goal is added or dropped.
  std::vector<const goal*> all() const;

  /// Error: `overloaded` if the outside program has as many open goals as it may have, `more` that
  /// are being made included, or if they take as many bytes as they may take. No error for "".
  caf::error check_share(const std::string& program, uint64_t more = 0) const;

  /// As `check_share`; also `overloaded` if there is no room for another open goal that is charged
  /// to the program, or to none if it is "".
  caf::error check_room(const std::string& program) const;

  /// Makes room for a goal that grows by something that is charged to the outside program: drops
  /// ended goals. Error: `overloaded` if the program's open goals, or all open goals, take as many
  /// bytes as they may take. No error for "".
  caf::error let_grow(const std::string& program);

  /// Gives a goal an id, if it has none.
  void give_id(goal& x);

  /// Gives a new goal its creation time, and ids to it and its actions where they have none.
  void prepare(goal& x);

  /// Gives ids to the actions that have none: unique ones, with numbers above `after`.
  static void name_actions(goal& x, uint64_t after);

  /// Stores a new goal, or the next revision of one, and applies it. A new goal needs room: ended
  /// goals are dropped for it and, if it is charged to no outside program, open goals of the
  /// programs with the most are abandoned, the latest first. Errors: `overloaded`, and
  /// `storage_unavailable`; the goal is then as it was.
  caf::error commit(
    goal next, const caller& by, std::string_view operation, json::object detail = {});

private:
  struct entry {
    uint64_t number = 0; ///< the older goal has the lower number
    goal value;
    uint64_t bytes = 0; ///< approximate memory
  };

  /// The open goals that are charged to one outside program.
  struct share {
    std::set<uint64_t> goals;
    uint64_t bytes = 0;
  };

  caf::error make_room(const std::string& program, const caller& by);
  caf::error abandon_one(const caller& by);
  caf::error check_bytes(const std::string& program) const;
  bool is_full() const { return goals_.size() >= room_.max_goals || bytes_ >= room_.max_bytes; }
  caf::error refuse() const;
  const goal& keep(goal x);
  void count(entry& x);
  void discount(const entry& x);
  void drop(uint64_t number);
  void leave_out(uint64_t number);

  std::shared_ptr<const scratchpage::clock> clock_;
  std::shared_ptr<goal_store> store_;
  goal_room room_;
  const promotion_rules& rules_;
  tracer& trace_;
  on_change tell_;
  std::map<std::string, entry> goals_;
  std::map<uint64_t, const entry*> in_order_;
  std::set<uint64_t> over_;              ///< numbers of ended goals
  std::map<std::string, share> open_of_; ///< by the outside program they are charged to
  uint64_t bytes_ = 0;                   ///< of all goals
  relation_index open_;                  ///< open goals, by number
  uint64_t last_entry_ = 0;
  uint64_t last_number_ = 0; ///< the highest in an id
  work_flag doubts_;         ///< while the store may have something else
};

/// The goals of `all` that the request selects, in the same order. With a limit, the answer has
/// about `answer_limits::bytes` at most, or a single goal; its `next_cursor` continues it.
caf::expected<goal_list> page_of(const std::vector<const goal*>& all, const list_goals& request);

/// Updates goals when turns end (contract 8), by the observations that were linked to them or
/// resolved since.
class goal_settlement {
public:
  /// An observation that was linked to a goal.
  struct link {
    std::string goal_id;
    observation_ptr observation;
    bool is_from_outside = false;
  };

  /// What waits for the end of a turn.
  struct unsettled {
    std::vector<link> links;
    std::vector<observation_ptr> resolved;

    uint64_t bytes() const; ///< of memory, about
  };

  /// Remembers at most `max_waiting` links and as many resolved observations; then the oldest is
  /// dropped.
  /// @pre `goals` and `progress` outlive it
  goal_settlement(goal_book& goals, const goal_progress& progress, uint64_t max_waiting);

  /// An observation was linked to a goal that existed before; `is_from_outside` is as in
  /// goal_progress.
  void linked(std::string goal_id, observation_ptr x, bool is_from_outside);

  /// An observation was resolved, or a resolved one was changed. It is ignored unless its context
  /// names an action and this revision is the one that resolved it.
  void resolved(observation_ptr x);

  /// Drops the observations for which `is_meant` holds.
  void forget(const std::function<bool(const observation&)>& is_meant);

  /// Returns the goals that changed and those that have an observation of the turn as evidence.
  /// A link that another turn made waits for the end of that turn.
  goal_list settle(const settle_goals& request);

  /// For a rest.
  unsettled take_unsettled() { return std::exchange(waiting_, {}); }
  void restore(unsettled x) { waiting_ = std::move(x); }

private:
  void settle_links(const settle_goals& request, std::vector<std::string>& moved);
  void settle_resolved(const settle_goals& request, std::vector<std::string>& moved);
  void settle_told(const settle_goals& request, std::vector<std::string>& moved);

  goal_book& goals_;
  const goal_progress& progress_;
  uint64_t max_waiting_;
  unsettled waiting_;
};

} // namespace scratchpage
