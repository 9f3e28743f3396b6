#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/cortex/relation_index.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"

namespace scratchpage {

/// How many goals there may be, and about how many bytes of memory they may take.
struct goal_room {
  uint64_t most;
  uint64_t of_program; ///< open ones of one program from outside
  uint64_t bytes;
  uint64_t bytes_of_program; ///< of its open ones
};

/// The goals of one agent: kept in the store first, then here, every change a
/// revision and an entry in the trace. What may change is its users' to decide.
class goal_book {
public:
  /// Told of each change that is kept, and whether the goal is over now and was not.
  using on_change = std::function<void(const caller& by, const goal& now, bool ends)>;

  /// Beyond the room, goals that are over are forgotten, oldest first.
  /// @pre `rules` and `trace` outlive the book
  goal_book(const agent_context& agent, std::shared_ptr<goal_store> store, goal_room room,
    const promotion_rules& rules, tracer& trace, on_change tell);

  /// Takes over what a store had; only in the beginning.
  void restore(std::vector<goal> goals);

  /// Null if there is no such goal.
  const goal* find(const std::string& goal_id) const;

  /// The oldest open goal that a candidate with these marks belongs to, else null.
  const goal* related_to(const relation_marks& x) const;

  /// All of them, oldest first. They stay where they are until another is made.
  std::vector<const goal*> all() const;

  /// `overloaded` if a program from outside has as many open goals as it may, with so many more
  /// that are on their way, or if they take as many bytes as they may; never for "".
  caf::error check_share(const std::string& program, uint64_t more = 0) const;

  /// As above, and `overloaded` if no further open goal that counts for the program, or for none,
  /// can be made.
  caf::error check_room(const std::string& program) const;

  /// Forgets goals that are over, as far as one that grows by what counts for that program needs
  /// their room. `overloaded` if it may not grow: those of the program take as many bytes as they
  /// may, or all that are open do; never for "".
  caf::error let_grow(const std::string& program);

  /// Gives a goal an id, if it has none.
  void give_id(goal& x);

  /// Gives a goal and its actions ids, where they have none, and a beginning.
  void prepare(goal& x);

  /// Gives its actions ids that no other of them has, where they have none, with numbers above
  /// `after`.
  static void name_actions(goal& x, uint64_t after);

  /// Keeps the next revision of a goal, or a new one, for which there has to be room. If there are
  /// only open goals, and the new one counts for no program from outside, the latest goals of the
  /// programs that have the most are abandoned until there is. Nothing has changed if the store
  /// refuses it.
  caf::error commit(
    goal next, const caller& by, std::string_view operation, json::object detail = {});

private:
  struct entry {
    uint64_t number = 0; ///< in which order they came
    goal value;
    uint64_t bytes = 0; ///< about, that it takes
  };

  /// The open goals that count for one program.
  struct share {
    std::set<uint64_t> goals;
    uint64_t bytes = 0;
  };

  caf::error make_room(const std::string& program, const caller& by);
  caf::error let_one_give_way(const caller& by);
  caf::error check_bytes(const std::string& program) const;
  bool is_full() const { return goals_.size() >= room_.most || bytes_ >= room_.bytes; }
  caf::error refuse() const;
  const goal& keep(goal x);
  void count(entry& x);
  void discount(const entry& x);
  void forget(uint64_t number);

  std::shared_ptr<const scratchpage::clock> clock_;
  std::shared_ptr<goal_store> store_;
  goal_room room_;
  const promotion_rules& rules_;
  tracer& trace_;
  on_change tell_;
  std::map<std::string, entry> goals_;
  std::map<uint64_t, const entry*> in_order_;
  std::set<uint64_t> over_;
  std::map<std::string, share> open_of_; ///< by the program that they count for
  uint64_t bytes_ = 0;                   ///< of all
  relation_index open_;
  uint64_t last_entry_ = 0;
  uint64_t last_number_ = 0; ///< in an id
};

} // namespace scratchpage
