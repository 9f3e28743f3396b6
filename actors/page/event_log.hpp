#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "scratchpage/messages/event.hpp"

namespace scratchpage {

/// The last changes of a page, in order and without gaps. Holds at most
/// `capacity` of them; who comes too late for the oldest is told so.
class event_log {
public:
  explicit event_log(size_t capacity)
    : capacity_{capacity} {}

  /// `event.sequence` must be `next()`.
  void append(page_event event) {
    events_.push_back(std::move(event));
    ++next_;
    if (events_.size() > capacity_)
      events_.pop_front();
  }

  /// The sequence that the next change gets; the first is 1.
  uint64_t next() const { return next_; }

  /// The oldest sequence that is still here; `next()` if nothing is.
  uint64_t oldest() const { return next_ - events_.size(); }

  /// `sequence` must be in [oldest(), next()).
  const page_event& at(uint64_t sequence) const { return events_[sequence - oldest()]; }

private:
  size_t capacity_;
  uint64_t next_ = 1;
  std::deque<page_event> events_;
};

} // namespace scratchpage
