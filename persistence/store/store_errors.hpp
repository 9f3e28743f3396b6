#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// The errors that all stores have in common, and the order of checks.

namespace scratchpage {

inline caf::error not_the_owner(uint64_t epoch) {
  return fail(errc::conflict, "epoch",
    "expected the latest claim; somebody else has claimed the agent since epoch "
      + std::to_string(epoch));
}

inline caf::error not_the_next(uint64_t first, uint64_t last) {
  return fail(errc::internal, "sequence",
    "expected " + std::to_string(last + 1) + ", the one after what is kept, got "
      + std::to_string(first));
}

inline caf::error has_begun(uint64_t last) {
  return fail(errc::internal, "sequence",
    "expected an agent without a journal, but one ends at " + std::to_string(last));
}

inline caf::error needs_repair(const std::string& what) {
  return fail(
    errc::internal, "", what + "; `scratchpage repair` recovers intact data into a new directory");
}

/// Sorts by agent: the order in which stores lock agents. With different orders there could be a
/// deadlock.
inline std::vector<const journal_append*> by_agent(std::span<const journal_append> xs) {
  std::vector<const journal_append*> result;
  for (const auto& x : xs)
    result.push_back(&x);
  std::sort(result.begin(), result.end(),
    [](const auto* a, const auto* b) { return a->by.agent < b->by.agent; });
  return result;
}

} // namespace scratchpage
