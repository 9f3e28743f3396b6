#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/claim_key.hpp"
#include "scratchpage/messages/event.hpp"

/// What a page asks of its journal.

namespace scratchpage {

/// Keep these changes, all of them or none. Durable when it is answered. Errors:
/// `storage_unavailable`, and nothing of it will ever be seen.
struct append_events {
  uint64_t agent = 0; ///< the agent's key in the store
  uint64_t epoch = 0; ///< of the claim
  claim_key claim;
  uint64_t after = 0; ///< the last sequence that was acknowledged
  event_list events;  ///< from `after` + 1 on, without gaps

  static constexpr auto fields(auto all) {
    using self = append_events;
    return all(required("agent", &self::agent), required("epoch", &self::epoch),
      required("claim", &self::claim), required("after", &self::after),
      required("events", &self::events));
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
  claim_key claim;
  std::vector<kept_document> documents;

  static constexpr auto fields(auto all) {
    using self = keep_documents;
    return all(required("agent", &self::agent), required("epoch", &self::epoch),
      required("claim", &self::claim), required("documents", &self::documents));
  }
};

/// Move the agent's snapshot on along its journal, by one step.
struct fold_journal {
  uint64_t agent = 0;
  uint64_t epoch = 0;
  claim_key claim;

  static constexpr auto fields(auto all) {
    return all(required("agent", &fold_journal::agent), required("epoch", &fold_journal::epoch),
      required("claim", &fold_journal::claim));
  }
};

/// How a journal is doing, for readiness and metrics.
struct journal_stats {
  uint64_t commits = 0;      ///< that succeeded, so far
  uint64_t events = 0;       ///< that they made durable
  uint64_t waiting = 0;      ///< requests for the next commit
  uint64_t failures = 0;     ///< of the store, in a row; 0: it works
  std::string last_failure;  ///< what the store said; "" if it works
  timestamp next_try;        ///< until when a store that fails is left alone
  double last_commit_ms = 0; ///< how long the last one took

  static constexpr auto fields(auto all) {
    using self = journal_stats;
    return all(required("commits", &self::commits), required("events", &self::events),
      required("waiting", &self::waiting), required("failures", &self::failures),
      required("last_failure", &self::last_failure), required("next_try", &self::next_try),
      required("last_commit_ms", &self::last_commit_ms));
  }
};

} // namespace scratchpage
