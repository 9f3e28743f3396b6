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
/// `capacity` of them. Their observations take at most about `most_bytes`, and beyond that what
/// one block and `segment_bytes` take. Who comes too late for the oldest is told so.
///
/// Changes lie in segments that are shared with those who read them, so that
/// handing one out costs a pointer and forgetting it waits for the last reader.
/// A segment is appended to while others read what was there before. A segment has several blocks
/// while observations are small, because a reader pays one reference for each segment. It has one
/// block where they are large, because a segment stays in memory as a whole.
class event_log {
public:
  explicit event_log(size_t capacity, size_t most_bytes = SIZE_MAX)
    : capacity_{capacity},
      most_bytes_{most_bytes} {}

  /// The first change will be the one after `sequence`. Only while there is none.
  void begin_after(uint64_t sequence) { next_ = first_ = start_ = sequence + 1; }

  /// `event.sequence` must be `next()`. Gives back where it is now.
  const page_event& append(page_event event) {
    if ((next_ - first_) % block_size == 0)
      begin_block();
    auto& last = blocks_.back();
    last.bytes += event.bytes;
    segment_bytes_ += event.bytes;
    bytes_ += event.bytes;
    auto& result = last.events->emplace_back(std::move(event));
    ++next_;
    while (blocks_.size() > 1 && (bytes_ > most_bytes_ || first_ + block_size <= oldest()))
      forget_block();
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
    const auto& x = block_of(sequence);
    return (*x.events)[x.begin + (sequence - first_) % block_size];
  }

  /// Adds the change to `list`, without a copy.
  void share(uint64_t sequence, event_list& list) const {
    list.push_back(at(sequence), block_of(sequence).events);
  }

  /// Puts what `f(page_event&)` makes of the changes in their place, where it says
  /// that it made something. Who has been handed one keeps it as it was.
  template <class F>
  void revise(F f) {
    std::shared_ptr<segment> before;
    std::shared_ptr<segment> after;
    for (auto& x : blocks_) {
      if (x.events != before) {
        before = x.events;
        after = revised(before, f);
      }
      x.events = after;
    }
  }

private:
  using segment = std::vector<page_event>;

  /// The number of changes that are forgotten together.
  static constexpr uint64_t block_size = 64;
  /// The most changes that a segment has.
  static constexpr size_t segment_size = 4 * block_size;
  /// A segment gets no further block once its observations take more bytes than this.
  static constexpr size_t segment_bytes = size_t{256} * 1024;

  struct block {
    std::shared_ptr<segment> events;
    size_t begin; // of its changes in the segment
    size_t bytes;
  };

  const block& block_of(uint64_t sequence) const {
    return blocks_[(sequence - first_) / block_size];
  }

  void begin_block() {
    auto events = blocks_.empty() ? nullptr : blocks_.back().events;
    if (!events || events->capacity() - events->size() < block_size
        || segment_bytes_ > segment_bytes) {
      auto is_first = events == nullptr; // the first is short: most pages see few changes
      events = std::make_shared<segment>();
      events->reserve(is_first ? block_size : segment_size); // and so its elements never move
      segment_bytes_ = 0;
    }
    auto begin = events->size();
    blocks_.push_back({std::move(events), begin, 0});
  }

  /// Returns the segment as `f` makes it, or the same one if `f` changes nothing.
  template <class F>
  static std::shared_ptr<segment> revised(const std::shared_ptr<segment>& x, F& f) {
    auto next = std::make_shared<segment>();
    next->reserve(x->capacity());
    auto changed = false;
    for (auto event : *x) {
      changed = f(event) || changed;
      next->push_back(std::move(event));
    }
    return changed ? next : x;
  }

  void forget_block() {
    bytes_ -= blocks_.front().bytes;
    blocks_.pop_front();
    first_ += block_size;
    start_ = std::max(start_, first_);
  }

  size_t capacity_;
  size_t most_bytes_;
  size_t bytes_ = 0;
  uint64_t next_ = 1;
  uint64_t start_ = 1;       // what came before was never here, or was forgotten for its bytes
  uint64_t first_ = 1;       // of the oldest block, which may reach back beyond oldest()
  size_t segment_bytes_ = 0; // taken by the observations of the newest segment
  std::deque<block> blocks_;
};

} // namespace scratchpage
