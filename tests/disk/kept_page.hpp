#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// What a store should hold, in plain words: the model of the random histories.

namespace scratchpage::test {

/// An event with the texts it has to be read back as.
struct kept_event {
  page_event event;
  uint64_t number = 0; ///< of the observation
  std::string json;
  std::string observation; ///< in JSON
};

using kept_event_ptr = std::shared_ptr<const kept_event>;
using kept_events = std::vector<kept_event_ptr>;

/// A page as it was after some event.
struct page_view {
  uint64_t last_number = 0;
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp at;
  std::map<uint64_t, kept_event_ptr> shown; ///< the last event of each number
};

/// Moves a view on by one event.
void follow(page_view& view, const kept_event_ptr& x);

/// What is kept of one agent. The archive is not mentioned: it has exactly those
/// of `events` that are ends.
struct kept_page {
  struct group {
    uint64_t first = 0;
    uint64_t last = 0;
  };

  ownership by;                                                         ///< of the last claim
  kept_events events;                                                   ///< from sequence 1 on
  std::vector<group> groups;                                            ///< still in the journal
  std::map<snapshot_kind, uint64_t> snapshots;                          ///< sequences
  std::map<std::pair<std::string, std::string>, std::string> documents; ///< collection, key

  std::map<uint64_t, uint64_t> epochs; ///< after which sequence each began

  uint64_t numbers = 0; ///< that nobody uses again, as the last recovery noted

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

  /// A recovery notes where the epoch begins.
  void recover();
};

/// By the agents' names.
using kept_pages = std::map<std::string, kept_page>;

/// Begins an agent's next epoch.
void claim(kept_pages& in, const std::string& agent_id);

} // namespace scratchpage::test
