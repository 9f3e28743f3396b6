#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "scratchpage/messages/event.hpp"

namespace scratchpage {

/// The last changes of a page, in order and without gaps. The log has at most `capacity` changes.
/// Their observations take at most `max_bytes`, about, plus the bytes of one block and
/// `segment_bytes`.
///
/// Changes lie in segments, which the log shares with its readers: handing out a change copies a
/// pointer, and a segment is freed when its last reader has released it. A segment is appended to
/// while others read its earlier changes. It has several blocks while observations are small,
/// because a reader needs one reference for each segment, and one block if they are large, because
/// a segment stays in memory as a whole.
class event_log {
public:
  explicit event_log(size_t capacity, size_t max_bytes = SIZE_MAX)
    : capacity_{capacity},
      max_bytes_{max_bytes} {}

  /// The first change will have the sequence after `sequence`; @pre the log is empty.
  void begin_after(uint64_t sequence) { next_ = first_ = start_ = sequence + 1; }

  /// The oldest change is that with this sequence, if there are older ones.
  void forget_before(uint64_t sequence) { start_ = std::max(start_, sequence); }

  /// Appends a change, and returns it as it lies in the log; @pre `event.sequence` is `next()`.
  const page_event& append(page_event event) {
    if ((next_ - first_) % block_size == 0)
      begin_block();
    auto& last = blocks_.back();
    last.bytes += event.bytes;
    segment_bytes_ += event.bytes;
    bytes_ += event.bytes;
    auto& result = last.events->emplace_back(std::move(event));
    ++next_;
    while (blocks_.size() > 1 && (bytes_ > max_bytes_ || first_ + block_size <= oldest()))
      forget_block();
    return result;
  }

  /// Sets the bytes that observations may take, from the next change on.
  void keep_within(size_t max_bytes) { max_bytes_ = max_bytes; }

  /// The bytes, about, that the observations in the log take.
  size_t bytes() const { return bytes_; }

  /// The sequence of the next change; the first is 1.
  uint64_t next() const { return next_; }

  /// The oldest sequence in the log; `next()` if the log is empty.
  uint64_t oldest() const { return next_ - std::min<uint64_t>(next_ - start_, capacity_); }

  /// The first sequence that lies in memory, which may be before `oldest()`.
  uint64_t begin() const { return first_; }

  /// The change with that sequence; @pre `sequence` is in [oldest(), next()).
  const page_event& at(uint64_t sequence) const {
    const auto& x = block_of(sequence);
    return (*x.events)[x.begin + (sequence - first_) % block_size];
  }

  /// Adds the change to `list` without a copy; @pre as `at`.
  void share(uint64_t sequence, event_list& list) const {
    list.push_back(at(sequence), block_of(sequence).events);
  }

  /// Calls `f(page_event&)` for each change, and replaces the changes for which it returns true.
  /// Changes that were handed out before stay as they were.
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
      auto is_first = events == nullptr; // the first segment is short: most pages see few changes
      events = std::make_shared<segment>();
      events->reserve(is_first ? block_size : segment_size); // so that elements never move
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
  size_t max_bytes_;
  size_t bytes_ = 0;
  uint64_t next_ = 1;
  uint64_t start_ = 1;       // earlier changes were never here, or were removed for their bytes
  uint64_t first_ = 1;       // sequence of the oldest block, which may be before oldest()
  size_t segment_bytes_ = 0; // taken by the observations of the newest segment
  std::deque<block> blocks_;
};

} // namespace scratchpage
