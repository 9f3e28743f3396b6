#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Deadlines in order, ties by number. An entry is never searched for: when it
/// no longer holds it goes stale, and the owner, who alone can tell, passes
/// `is_current(entry)` to whatever looks at entries. Stale ones are dropped at
/// the top, or all at once when they outnumber the others.
class deadline_queue {
public:
  struct entry {
    timestamp deadline;
    uint64_t number;
  };

  /// Entries, stale ones included.
  size_t size() const { return heap_.size(); }

  void push(timestamp deadline, uint64_t number);

  /// Removes the first entry; @pre there is one.
  void pop();

  /// The earliest entry that is current.
  template <class IsCurrent>
  std::optional<entry> top(IsCurrent&& is_current) {
    while (!heap_.empty() && !is_current(heap_.front())) {
      pop();
      stale_ -= stale_ > 0 ? 1 : 0;
    }
    return heap_.empty() ? std::nullopt : std::optional{heap_.front()};
  }

  /// To be called when an entry went stale.
  template <class IsCurrent>
  void forget(IsCurrent&& is_current) {
    if (++stale_ * 2 <= heap_.size() + slack)
      return;
    std::erase_if(heap_, [&](const entry& x) { return !is_current(x); });
    rebuild();
  }

private:
  /// Below this many stale entries, tidying up is not worth the while.
  static constexpr size_t slack = 64;

  void rebuild();

  std::deque<entry> heap_; // a deque, since it grows without moving what is there
  size_t stale_ = 0;
};

} // namespace scratchpage
