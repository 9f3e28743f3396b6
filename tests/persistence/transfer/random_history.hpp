#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage::test {

/// A random step: the kind of change, its object, and further choices.
using history_step = std::tuple<int, int, int>;

/// Writes valid histories of one agent into a store: additions, updates, links and
/// ends in commits of any size; goals, facts, episodes, types and counters.
class random_history {
public:
  /// Claims the agent.
  explicit random_history(store& in, const std::string& agent_id = "ada");

  void play(const std::vector<history_step>& steps);

  /// Writes the changes that are not committed yet.
  void commit();

  /// Removes all committed changes from the journal's beginning.
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
  std::vector<page_event> events_; // all events
  size_t committed_ = 0;           // number of committed events
  uint64_t last_number_ = 0;
  std::vector<observation> page_;
};

} // namespace scratchpage::test
