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

  /// The first `count` of `best` and their neighbours that `find` finds: the best first, and the
  /// largest slot first among equals. Called once.
  std::vector<candidate> rank(
    const std::vector<text_search::match>& best, const lookup& find, size_t count = hits);

private:
  /// A hit and the slots of its thread; null if it belongs to none.
  struct hit {
    const slot_set* thread;
    uint32_t slot;
  };

  /// A part of a thread without gaps, as positions in places_.
  struct run {
    size_t first;
    size_t end;
  };

  /// What is known of an observation near a hit, or of the space between two runs.
  struct place {
    uint32_t slot = 0;
    bool is_candidate = false; ///< at most `reach` from a hit
    bool has_term = false;
  };

  void gather(std::vector<hit> hits);
  size_t put(const hit& x, bool is_same_thread);
  void begin_run();
  void append(uint32_t slot);
  void add_up(const text_search::term& x);
  void weigh(const term_postings& x);

  const text_search& search_;
  std::vector<run> runs_;
  std::vector<place> places_;  // of all runs, each with `reach` empty ones before and after it
  std::vector<double> scores_; // by place

  // Of one term:
  std::vector<size_t> having_;  // places that have it
  std::vector<double> weights_; // by place, 0 for those that do not have it
  std::vector<double> sums_;    // by place, with what the neighbours have
};

} // namespace scratchpage
