#pragma once

#include <chrono>
#include <utility>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Lets requests from outside that only read a page alternate with all other requests. When reads
/// have used a slice of a few milliseconds while other requests waited, the other messages in the
/// mailbox are handled first. Reads that wait are served in the order of a `fair_queue`.
class read_scheduler {
public:
  /// For how long other requests wait for a series of reads. The last read may exceed it.
  static constexpr timespan slice = std::chrono::milliseconds{5};

  /// Whether a read has to wait because other requests come first.
  bool gives_way() const { return gives_way_; }

  bool has_room_for(const caller& by) const { return waiting_.has_room_for(by); }
  void add(const caller& by, fair_queue::work read) { waiting_.add(by, std::move(read)); }
  bool is_anybody_waiting() const { return !waiting_.empty(); }

  /// A read has ended that no other request had to wait for.
  void note_unhindered() { used_ = {}; }

  /// A read has ended that other requests had to wait for. Returns whether the slice is over: then
  /// the owner handles the other requests, and calls `begin_slice` after them.
  bool note(timespan took) {
    used_ += took;
    gives_way_ = used_ >= slice;
    return gives_way_;
  }

  void begin_slice() {
    gives_way_ = false;
    used_ = {};
  }

  /// Takes out the next read that waits; an empty function if none waits, or if the slice is over.
  fair_queue::work next() {
    return waiting_.empty() || gives_way_ ? fair_queue::work{} : waiting_.take();
  }

private:
  fair_queue waiting_{query_limits::waiting};
  timespan used_{}; // time of the slice
  bool gives_way_ = false;
};

} // namespace scratchpage
