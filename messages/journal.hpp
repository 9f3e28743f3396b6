#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/event.hpp"

/// What a page asks of its journal.

namespace scratchpage {

/// Keep these changes, all of them or none. Durable when it is answered. Errors:
/// `storage_unavailable`, and nothing of it will ever be seen.
struct append_events {
  uint64_t agent = 0; ///< the agent's key in the store
  uint64_t epoch = 0; ///< of the claim
  uint64_t after = 0; ///< the last sequence that was acknowledged
  event_list events;  ///< from `after` + 1 on, without gaps

  static constexpr auto fields(auto all) {
    using self = append_events;
    return all(required("agent", &self::agent), required("epoch", &self::epoch),
      required("after", &self::after), required("events", &self::events));
  }
};

/// One thing that is kept by its name.
struct kept_document {
  std::string collection;
  std::string key;
  std::string body; ///< JSON; "": forget it

  static constexpr auto fields(auto all) {
    using self = kept_document;
    return all(required("collection", &self::collection), required("key", &self::key),
      required("body", &self::body));
  }
};

/// Keep these, all of them or none; the last of a name counts.
struct keep_documents {
  uint64_t agent = 0;
  uint64_t epoch = 0;
  std::vector<kept_document> documents;

  static constexpr auto fields(auto all) {
    using self = keep_documents;
    return all(required("agent", &self::agent), required("epoch", &self::epoch),
      required("documents", &self::documents));
  }
};

/// Move the agent's snapshot on along its journal, by one step.
struct fold_journal {
  uint64_t agent = 0;
  uint64_t epoch = 0;

  static constexpr auto fields(auto all) {
    return all(required("agent", &fold_journal::agent), required("epoch", &fold_journal::epoch));
  }
};

} // namespace scratchpage
