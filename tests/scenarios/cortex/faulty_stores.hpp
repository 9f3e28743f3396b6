#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"
#include "scratchpage/tests/support/journal_double.hpp"

namespace scratchpage::test {

/// A journal that fails to store a batch with an event for which `refuses` is true.
struct faulty_journal : journal_double {
  std::function<bool(const page_event&)> refuses;

  caf::error append(std::span<const page_event> events) override {
    if (refuses && std::any_of(events.begin(), events.end(), refuses))
      return fail(errc::storage_unavailable, "", "a disk that is not full");
    return {};
  }
};

/// A goal store that keeps the last revision of each goal. It fails while `fails` is set.
struct faulty_goal_store : goal_store {
  bool fails = false;
  std::map<std::string, goal> kept;

  caf::error put(const goal& x) override {
    if (fails)
      return fail(errc::storage_unavailable, "", "a disk that is not full");
    kept.insert_or_assign(x.goal_id, x);
    return {};
  }
};

} // namespace scratchpage::test
