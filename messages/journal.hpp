#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// 128 random bits that no other claim of an agent has. A database server that took over from
/// another one may give an epoch a second time; the key tells the two claims apart.
struct claim_key {
  uint64_t high = 0;
  uint64_t low = 0;

  bool operator==(const claim_key&) const = default;

  static constexpr auto fields(auto all) {
    return all(required("high", &claim_key::high), required("low", &claim_key::low));
  }
};

} // namespace scratchpage

/// Requests of a page to its journal.

namespace scratchpage {

/// Stores changes, all of them or none. They are durable when the answer comes. Error:
/// `storage_unavailable`; then none of the changes ever becomes visible.
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

/// A document that is stored under its name.
struct kept_document {
  std::string collection;
  std::string key;
  std::string body; ///< JSON; "" removes the document

  static constexpr auto fields(auto all) {
    using self = kept_document;
    return all(required("collection", &self::collection), required("key", &self::key),
      required("body", &self::body));
  }
};

/// Stores documents, all of them or none. Of several with one name the last one counts.
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

/// Advances the agent's snapshot along its journal by one step.
struct fold_journal {
  uint64_t agent = 0;
  uint64_t epoch = 0;
  claim_key claim;

  static constexpr auto fields(auto all) {
    return all(required("agent", &fold_journal::agent), required("epoch", &fold_journal::epoch),
      required("claim", &fold_journal::claim));
  }
};

/// Figures about a journal, for readiness and metrics.
struct journal_stats {
  uint64_t commits = 0;      ///< total of commits that succeeded
  uint64_t events = 0;       ///< total of events in these commits
  uint64_t waiting = 0;      ///< requests that wait for the next commit
  uint64_t failures = 0;     ///< consecutive failures of the store; 0 if it works
  std::string last_failure;  ///< the text of the last failure; "" if the store works
  timestamp next_try;        ///< when a store that failed is tried again
  double last_commit_ms = 0; ///< how long the last commit took

  /// Adds the numbers of another journal of the same store. Of failures, the worst counts.
  void add(const journal_stats& x) {
    commits += x.commits;
    events += x.events;
    waiting += x.waiting;
    last_commit_ms = std::max(last_commit_ms, x.last_commit_ms);
    if (x.failures > failures) {
      failures = x.failures;
      last_failure = x.last_failure;
      next_try = x.next_try;
    }
  }

  static constexpr auto fields(auto all) {
    using self = journal_stats;
    return all(required("commits", &self::commits), required("events", &self::events),
      required("waiting", &self::waiting), required("failures", &self::failures),
      required("last_failure", &self::last_failure), required("next_try", &self::next_try),
      required("last_commit_ms", &self::last_commit_ms));
  }
};

} // namespace scratchpage
