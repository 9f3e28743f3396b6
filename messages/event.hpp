#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// What happened to an observation (contract 5). The first six are changes and
/// stand in the page's log; `lagged` and `current` exist only in a stream, for
/// a subscriber that fell behind what the log still holds.
enum class event_kind : uint8_t {
  added,
  updated,
  archived,
  expired,
  evicted,
  linked,
  lagged,  ///< `missed` events are gone; what follows is the current state
  current, ///< one matching observation as it is now, after `lagged`
};

template <>
inline constexpr std::array<std::string_view, 8> enum_names<event_kind>{
  "added", "updated", "archived", "expired", "evicted", "linked", "lagged", "current"};

/// One entry of the page's log.
struct page_event {
  uint64_t sequence = 0; ///< gapless per agent, from 1
  event_kind kind = event_kind::added;
  timestamp at;
  std::string turn_id;         ///< the turn that caused it, "" for timers
  span_id cause = 0;           ///< the page's trace entry of the change
  observation_ptr observation; ///< as it is after the change; null for `lagged`
  uint64_t missed = 0;         ///< `lagged` only

  static constexpr auto fields(auto all) {
    using self = page_event;
    return all(required("sequence", &self::sequence), required("kind", &self::kind),
      required("at", &self::at), optional("turn_id", &self::turn_id),
      optional("cause", &self::cause), optional("observation", &self::observation),
      optional("missed", &self::missed));
  }
};

/// What the PAGE sends to a subscriber; answering it acknowledges the batch,
/// and only then comes the next.
struct event_batch {
  std::string agent_id;
  std::vector<page_event> events;

  static constexpr auto fields(auto all) {
    return all(
      required("agent_id", &event_batch::agent_id), required("events", &event_batch::events));
  }
};

} // namespace scratchpage
