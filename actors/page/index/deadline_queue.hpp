#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// A queue of deadlines, the earliest first, and of equal ones the lowest number. An entry that is
/// not valid any more is not searched for: it stays as a stale entry. Only the owner can tell
/// whether an entry is valid, and passes `is_current(entry)` to the functions that look at entries.
/// Stale entries are dropped when they come to the top, or all at once when they outnumber the
/// others.
class deadline_queue {
public:
  struct entry {
    timestamp deadline;
    uint64_t number;
  };

  /// The number of entries, including stale ones.
  size_t size() const { return heap_.size(); }

  void push(timestamp deadline, uint64_t number) {
    heap_.push_back({deadline, number});
    std::push_heap(heap_.begin(), heap_.end(), is_later{});
  }

  /// Removes the first entry; @pre there is one.
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), is_later{});
    heap_.pop_back();
  }

  /// The earliest entry that is current, or nothing.
  template <class IsCurrent>
  std::optional<entry> top(IsCurrent&& is_current) {
    while (!heap_.empty() && !is_current(heap_.front())) {
      pop();
      stale_ -= stale_ > 0 ? 1 : 0;
    }
    return heap_.empty() ? std::nullopt : std::optional{heap_.front()};
  }

  /// Notes that an entry has become stale.
  template <class IsCurrent>
  void forget(IsCurrent&& is_current) {
    if (++stale_ * 2 <= heap_.size() + slack)
      return;
    std::erase_if(heap_, [&](const entry& x) { return !is_current(x); });
    rebuild();
  }

private:
  /// Up to this number of stale entries, the queue is not cleaned.
  static constexpr size_t slack = 64;

  /// The order of the heap. It is an object, so that it is inlined into the loops of the heap.
  struct is_later {
    bool operator()(const entry& a, const entry& b) const {
      return a.deadline != b.deadline ? a.deadline > b.deadline : a.number > b.number;
    }
  };

  void rebuild() {
    heap_.shrink_to_fit();
    std::make_heap(heap_.begin(), heap_.end(), is_later{});
    stale_ = 0;
  }

  std::deque<entry> heap_; // a deque, because it grows without moving its elements
  size_t stale_ = 0;
};

} // namespace scratchpage
