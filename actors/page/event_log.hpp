#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "scratchpage/messages/event.hpp"

namespace scratchpage {

/// The last changes of a page, in order and without gaps. Holds at most
/// `capacity` of them, and of their observations at most about `most_bytes` and what
/// the newest segment has; who comes too late for the oldest is told so.
///
/// Changes lie in segments that are shared with those who read them, so that
/// handing one out costs a pointer and forgetting it waits for the last reader.
/// A segment is appended to while others read what was there before.
class event_log {
public:
  explicit event_log(size_t capacity, size_t most_bytes = SIZE_MAX)
    : capacity_{capacity},
      most_bytes_{most_bytes} {}

  /// The first change will be the one after `sequence`. Only while there is none.
  void begin_after(uint64_t sequence) { next_ = first_ = start_ = sequence + 1; }

  /// `event.sequence` must be `next()`. Gives back where it is now.
  const page_event& append(page_event event) {
    if ((next_ - first_) % segment_size == 0) {
      segments_.push_back({std::make_shared<segment>(), 0});
      segments_.back().events->reserve(segment_size); // and so its elements never move
    }
    auto& last = segments_.back();
    last.bytes += event.bytes;
    bytes_ += event.bytes;
    auto& result = last.events->emplace_back(std::move(event));
    ++next_;
    while (segments_.size() > 1 && (bytes_ > most_bytes_ || first_ + segment_size <= oldest()))
      forget_segment();
    return result;
  }

  /// From the next change on the observations may take so many bytes.
  void keep_within(size_t most_bytes) { most_bytes_ = most_bytes; }

  /// About what the observations in it take.
  size_t bytes() const { return bytes_; }

  /// The sequence that the next change gets; the first is 1.
  uint64_t next() const { return next_; }

  /// The oldest sequence that is still here; `next()` if nothing is.
  uint64_t oldest() const { return next_ - std::min<uint64_t>(next_ - start_, capacity_); }

  /// `sequence` must be in [oldest(), next()), here and below.
  const page_event& at(uint64_t sequence) const {
    return (*segment_of(sequence))[(sequence - first_) % segment_size];
  }

  /// Adds the change to `list`, without a copy.
  void share(uint64_t sequence, event_list& list) const {
    list.push_back(at(sequence), segment_of(sequence));
  }

  /// Puts what `f(page_event&)` makes of the changes in their place, where it says
  /// that it made something. Who has been handed one keeps it as it was.
  template <class F>
  void revise(F f) {
    for (auto& old : segments_) {
      auto next = std::make_shared<segment>();
      next->reserve(segment_size);
      auto changed = false;
      for (auto event : *old.events) {
        changed = f(event) || changed;
        next->push_back(std::move(event));
      }
      if (changed)
        old.events = std::move(next);
    }
  }

private:
  using segment = std::vector<page_event>;
  /// Few, for a segment of large observations is kept or forgotten as a whole.
  static constexpr uint64_t segment_size = 64;

  struct counted_segment {
    std::shared_ptr<segment> events;
    size_t bytes;
  };

  const std::shared_ptr<segment>& segment_of(uint64_t sequence) const {
    return segments_[(sequence - first_) / segment_size].events;
  }

  void forget_segment() {
    bytes_ -= segments_.front().bytes;
    segments_.pop_front();
    first_ += segment_size;
    start_ = std::max(start_, first_);
  }

  size_t capacity_;
  size_t most_bytes_;
  size_t bytes_ = 0;
  uint64_t next_ = 1;
  uint64_t start_ = 1; // what came before was never here, or was forgotten for its bytes
  uint64_t first_ = 1; // of the oldest segment, which may reach back beyond oldest()
  std::deque<counted_segment> segments_;
};

} // namespace scratchpage
