#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage::test {

/// What happens next, to what, and how; drawn by a property test.
using history_step = std::tuple<int, int, int>;

/// Makes valid histories of one agent in a store: additions, updates, links and
/// ends in commits of any size; goals, facts, episodes, types and counters.
class random_history {
public:
  /// Claims the agent.
  explicit random_history(store& in, const std::string& agent_id = "ada");

  void play(const std::vector<history_step>& steps);

  /// Writes what is not committed yet.
  void commit();

  /// Moves where the journal begins on to what is committed.
  void forget();

  const ownership& owner() const { return owner_; }
  const std::vector<page_event>& events() const { return events_; }

private:
  void play(const history_step& x);
  void happen(event_kind kind, observation x);
  observation make(int how);
  void put(document x);

  store& in_;
  ownership owner_;
  std::vector<page_event> events_; // all of them
  size_t committed_ = 0;           // of them
  uint64_t last_number_ = 0;
  std::vector<observation> page_;
};

} // namespace scratchpage::test
