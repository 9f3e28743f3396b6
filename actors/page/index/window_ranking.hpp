#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "scratchpage/actors/page/index/text_search.hpp"

namespace scratchpage {

/// Ranks the best observations of a search again, together with their neighbours in their threads.
/// What is said before and after an observation tells what it is about: a term counts for an
/// observation also if its neighbours have it, the less the farther they are (docs/search.md).
class window_ranking {
public:
  /// The observations of a page's search that are ranked again.
  static constexpr size_t hits = 50;
  /// How far the neighbours of an observation reach, in each direction.
  static constexpr size_t reach = 4;

  /// Returns the observation in this slot; null if it does not match what is searched for.
  using lookup = std::function<const observation*(uint32_t slot)>;

  struct candidate {
    uint32_t slot;
    double score;
    bool has_term; ///< of the query
  };

  /// `search` has ended, and outlives this object.
  explicit window_ranking(const text_search& search)
    : search_{search} {}

  /// The first `count` of `best` and their neighbours that `find` finds. The best `wanted` of them
  /// come first: the best at the front, and the largest slot first among equals. Called once.
  std::vector<candidate> rank(const std::vector<text_search::match>& best, const lookup& find,
    size_t wanted = SIZE_MAX, size_t count = hits);

private:
  /// A hit and the slots of its thread; null if it belongs to none.
  struct hit {
    const slot_set* thread;
    uint32_t slot;
  };

  /// A part of a thread without gaps, as positions in slots_.
  struct run {
    size_t first;
    size_t end;
  };

  void gather(std::vector<hit> hits);
  size_t put(const hit& x, bool is_same_thread);
  void read_on(const slot_set& thread, size_t count);
  void begin_run();
  void weigh(const term_postings& x);
  void add_up(const text_search::term& x);
  void add_up_near(double most, size_t from, size_t end);

  const text_search& search_;

  // What is known of the places near the hits. A place is an observation, or one of the `reach`
  // empty ones before and after each run.
  std::vector<run> runs_;
  std::vector<uint32_t> slots_;
  std::vector<uint8_t> is_candidate_; // at most `reach` from a hit
  std::vector<uint8_t> has_term_;
  std::vector<double> scores_;

  // Of one term:
  std::vector<uint32_t> having_; // places that have it
  std::vector<double> weights_;  // by place, 0 for those that do not have it
};

} // namespace scratchpage
