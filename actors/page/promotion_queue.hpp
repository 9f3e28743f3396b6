#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// The candidates on their way from a page to the Frontal Cortex. A candidate waits, is taken by
/// the Frontal Cortex, or is put back until the next turn. It is identified by the number of its
/// observation, and a newer revision replaces an older one. If the queue is full, the program from
/// outside with the most candidates loses one, so that no program takes the room of others.
class promotion_queue {
public:
  explicit promotion_queue(size_t capacity)
    : capacity_{capacity} {}

  /// Adds a candidate. If the queue is full, returns the observation that is left out: the latest
  /// one of the program from outside that has the most candidates, or the offered one.
  observation_ptr offer(uint64_t number, uint64_t sequence, promotion_candidate x);

  /// Whether `offer` would add a candidate with this number of this program.
  bool has_room_for(uint64_t number, const std::string& program) const {
    return has_place_for(number) || program_with_more(program) != of_program_.end();
  }

  /// Whether no candidate waits or is taken.
  bool is_idle() const { return waiting_.empty() && taken_.empty(); }

  bool has_waiting() const { return !waiting_.empty() && taken_.empty(); }

  /// Whether the waiting candidates have to wait longer. Changes that were on their way to storage
  /// when the first of them became visible may belong to the same goal, and are taken together with
  /// it. Later changes are not waited for. `last_given` is the last sequence that was given to a
  /// change, `last_applied` that of the last visible change, and `is_any_staged` whether changes
  /// are on their way.
  bool must_hold(uint64_t last_given, uint64_t last_applied, bool is_any_staged);

  /// Takes up to `limit` waiting candidates, the oldest first; none while others are taken.
  std::vector<promotion_candidate> take(size_t limit);

  /// The taken candidates were handled. Those with an id in `again` are put back.
  void done(const std::vector<std::string>& again);
  /// None of the taken candidates was handled: all are put back.
  void failed();

  /// Moves up to `limit` candidates that were put back to those that wait, and returns how many.
  /// Candidates that do not count for a program from outside come first, then those that were tried
  /// the least often.
  size_t retry(size_t limit);

  /// The lowest sequence of a candidate that waits or is taken; 0 if there is none. Candidates that
  /// were put back do not count, so that their turn can end.
  uint64_t oldest() const { return open_.empty() ? 0 : *open_.begin(); }

  void erase(uint64_t number);

  /// A candidate that was put back.
  struct remembered {
    uint64_t number;
    uint64_t sequence;
    uint64_t tries;
    promotion_candidate candidate;
  };
  /// All candidates that were put back, and how `restore` takes over one of them.
  std::vector<remembered> put_back() const;
  void restore(remembered x);

private:
  struct entry {
    uint64_t sequence;
    promotion_candidate candidate;
    uint64_t tries = 0; ///< how often it was put back
  };
  using entries = std::map<uint64_t, entry>;
  using counts = std::map<std::string, size_t>;

  static bool has(const entries& in, uint64_t number);
  bool is_new(uint64_t number) const { return !has(waiting_, number) && !has(put_back_, number); }
  bool has_place_for(uint64_t number) const {
    return waiting_.size() + put_back_.size() < capacity_ || !is_new(number);
  }
  counts::const_iterator program_with_more(const std::string& program) const;
  observation_ptr make_room_for(const std::string& program);
  void put_back(uint64_t number, entry& x);
  void take_back(uint64_t number);
  void count(const entry& x) { ++of_program_[x.candidate.counts_for]; }
  void discount(const entry& x);

  size_t capacity_;
  entries waiting_;
  entries taken_;
  entries put_back_;
  counts of_program_;                     // that wait or were put back; none is 0
  std::set<uint64_t> open_;               // sequences of those that wait or are taken
  std::optional<uint64_t> forward_after_; // the waiting ones wait for that sequence
};

} // namespace scratchpage
