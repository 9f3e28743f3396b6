#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// The model of the random histories: the expected content of a store, in simple containers.

namespace scratchpage::test {

/// An event with the texts that reading it back has to give.
struct kept_event {
  page_event event;
  uint64_t number = 0; ///< number of the observation
  std::string json;
  std::string observation; ///< as JSON
};

using kept_event_ptr = std::shared_ptr<const kept_event>;
using kept_events = std::vector<kept_event_ptr>;

/// A page after some event.
struct page_view {
  uint64_t last_number = 0;
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp at;
  std::map<uint64_t, kept_event_ptr> shown; ///< the last event of each number
};

/// Applies one event to a view.
void follow(page_view& view, const kept_event_ptr& x);

/// The stored data of one agent. The archive is not a member: it has exactly those
/// of `events` that are ends.
struct kept_page {
  struct group {
    uint64_t first = 0;
    uint64_t last = 0;
  };

  ownership by;                                                         ///< the last claim
  kept_events events;                                                   ///< all, from sequence 1 on
  std::vector<group> groups;                                            ///< in the journal
  std::map<snapshot_kind, uint64_t> snapshots;                          ///< their sequences
  std::map<std::pair<std::string, std::string>, std::string> documents; ///< by collection and key

  std::map<uint64_t, uint64_t> epochs; ///< the sequence before each epoch's first

  uint64_t numbers = 0; ///< numbers up to this are used, says the last recovery

  uint64_t last() const { return events.size(); }
  uint64_t last_number() const;
  uint64_t snapshot(snapshot_kind kind) const;
  page_view view_at(uint64_t sequence) const;

  // -- the calls of a store ---------------------------------------------------------------

  void append(const kept_events& xs);
  void cut(uint64_t after);
  void forget(uint64_t until);
  void fold(snapshot_kind kind, uint64_t until, uint64_t most);
  void put(const std::vector<document>& xs);

  /// Notes the sequence at which the epoch begins.
  void recover();
};

/// The stored data of all agents, by name.
using kept_pages = std::map<std::string, kept_page>;

/// Begins an agent's next epoch.
void claim(kept_pages& in, const std::string& agent_id);

} // namespace scratchpage::test
