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
/// observation's number; a newer revision takes the older one's place. Programs from outside take
/// the room neither from others nor from each other.
class promotion_queue {
public:
  explicit promotion_queue(size_t capacity)
    : capacity_{capacity} {}

  /// Gives the observation that is left out, if the queue is full: the latest of the program from
  /// outside that has the most, else the one that is offered.
  observation_ptr offer(uint64_t number, uint64_t sequence, promotion_candidate x);

  /// Whether nothing waits or is being looked at.
  bool is_idle() const { return waiting_.empty() && taken_.empty(); }

  bool has_waiting() const { return !waiting_.empty() && taken_.empty(); }

  /// So many of those that wait, the oldest first, to be looked at now; none while others are.
  std::vector<promotion_candidate> take(size_t most);

  /// Those taken are dealt with, except `again`.
  void done(const std::vector<std::string>& again);
  /// None of those taken was dealt with.
  void failed();

  /// Puts so many of those that were put back among those that wait: those that count for no
  /// program from outside, and then those that were tried the least often. Gives how many.
  size_t retry(size_t most);

  /// The lowest sequence of a change that still waits or is being looked at; 0
  /// if there is none. What was put back does not count: its turn may end.
  uint64_t oldest() const { return open_.empty() ? 0 : *open_.begin(); }

  void erase(uint64_t number);

private:
  struct entry {
    uint64_t sequence;
    promotion_candidate candidate;
    uint64_t tries = 0; ///< after it was put back
  };
  using entries = std::map<uint64_t, entry>;

  static bool has(const entries& in, uint64_t number);
  observation_ptr give_way_to(const std::string& program);
  void put_back(uint64_t number, entry& x);
  void take_back(uint64_t number);
  void count(const entry& x) { ++of_program_[x.candidate.counts_for]; }
  void discount(const entry& x);

  size_t capacity_;
  entries waiting_;
  entries taken_;
  entries put_back_;
  std::map<std::string, size_t> of_program_; // that wait or were put back; never 0
  std::set<uint64_t> open_;                  // sequences of those that wait or are being looked at
};

} // namespace scratchpage
