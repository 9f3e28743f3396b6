#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/tracer.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/persistence/goal_store.hpp"

namespace scratchpage {

/// The goals of one agent: kept in the store first, then here, every change a
/// revision and an entry in the trace. What may change is its users' to decide.
class goal_book {
public:
  /// Told of each change that is kept, and whether the goal is over now and was not.
  using on_change = std::function<void(const caller& by, const goal& now, bool ends)>;

  /// Beyond `max_goals`, goals that are over are forgotten, oldest first.
  /// @pre `trace` outlives the book
  goal_book(const agent_context& agent, std::shared_ptr<goal_store> store, uint64_t max_goals,
    tracer& trace, on_change tell);

  /// Takes over what a store had; only in the beginning.
  void restore(std::vector<goal> goals);

  /// Null if there is no such goal.
  const goal* find(const std::string& goal_id) const;

  /// All of them, oldest first. They stay where they are until `make_room`.
  std::vector<const goal*> all() const;

  /// An error if there are too many open ones for another.
  caf::error make_room();

  /// Gives a goal an id, if it has none.
  void give_id(goal& x);

  /// Gives a goal and its actions ids, where they have none, and a beginning.
  void prepare(goal& x);

  /// Keeps the next revision of a goal, or a new one. Nothing has changed if the
  /// store refuses it.
  caf::error commit(
    goal next, const caller& by, std::string_view operation, json::object detail = {});

private:
  std::shared_ptr<const scratchpage::clock> clock_;
  std::shared_ptr<goal_store> store_;
  uint64_t max_goals_;
  tracer& trace_;
  on_change tell_;
  std::map<std::string, goal> goals_;
  std::vector<std::string> order_; // ids, oldest first
  uint64_t last_number_ = 0;
};

} // namespace scratchpage
