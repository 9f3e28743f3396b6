#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace scratchpage {

/// A piece of work. It lasts until the last copy of the mark is gone.
using work_mark = std::shared_ptr<const void>;

/// Counts the work of an agent's actors that a rest would cut off. Copies count together. May be
/// used from any thread.
class work_count {
public:
  /// Counts nothing: for an agent that never rests.
  work_count() = default;

  static work_count make() {
    work_count result;
    result.marks_ = std::make_shared<std::atomic<uint64_t>>(0);
    return result;
  }

  /// Null if nothing is counted.
  work_mark begin() const {
    if (!marks_)
      return nullptr;
    marks_->fetch_add(1);
    return {marks_.get(), [marks = marks_](const void*) { marks->fetch_sub(1); }};
  }

  bool is_any() const { return marks_ && marks_->load() > 0; }

private:
  std::shared_ptr<std::atomic<uint64_t>> marks_;
};

/// Marks work for as long as its owner says that there is some.
class work_flag {
public:
  explicit work_flag(work_count in = {})
    : in_{std::move(in)} {}

  void set(bool works) {
    if (!works)
      mark_.reset();
    else if (!mark_)
      mark_ = in_.begin();
  }

private:
  work_count in_;
  work_mark mark_;
};

} // namespace scratchpage
