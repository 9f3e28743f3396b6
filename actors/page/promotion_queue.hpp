#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// Candidates on their way from a page to the Frontal Cortex: waiting, being
/// looked at, and put back until the next turn. A candidate is known by its
/// observation's number; a newer revision takes the older one's place.
class promotion_queue {
public:
  explicit promotion_queue(size_t capacity)
    : capacity_{capacity} {}

  /// False if the queue is full; the candidate is then not kept.
  bool offer(uint64_t number, uint64_t sequence, promotion_candidate x);

  /// Whether nothing waits or is being looked at.
  bool is_idle() const { return waiting_.empty() && taken_.empty(); }

  bool has_waiting() const { return !waiting_.empty() && taken_.empty(); }

  /// All that wait, to be looked at now; empty while others still are.
  std::vector<promotion_candidate> take();

  /// Those taken are dealt with, except `again`.
  void done(const std::vector<std::string>& again);
  /// None of those taken was dealt with.
  void failed();

  /// Puts those that were put back among those that wait; how many.
  size_t retry();

  /// The lowest sequence of a change that still waits or is being looked at; 0
  /// if there is none. What was put back does not count: its turn may end.
  uint64_t oldest() const { return open_.empty() ? 0 : *open_.begin(); }

  void erase(uint64_t number);

private:
  struct entry {
    uint64_t sequence;
    promotion_candidate candidate;
  };
  using entries = std::map<uint64_t, entry>;

  size_t capacity_;
  entries waiting_;
  entries taken_;
  entries put_back_;
  std::set<uint64_t> open_; // sequences of those that wait or are being looked at
};

} // namespace scratchpage
