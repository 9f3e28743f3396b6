#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/actors/page/index/text_search.hpp"

namespace scratchpage {

/// Ranks the best observations of a search again, together with their neighbours in their threads.
/// What is said before and after an observation tells what it is about: a term counts for an
/// observation also if its neighbours have it, the less the farther they are (docs/search.md).
class window_ranking {
public:
  /// The observations of a search that are ranked again.
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
    : search_{search},
      terms_{search.terms().size()} {}

  /// The first `hits` of `best` and their neighbours that `find` finds: the best first, and the
  /// largest slot first among equals.
  std::vector<candidate> rank(const std::vector<text_search::match>& best, const lookup& find);

private:
  static constexpr size_t width = 2 * reach + 1;

  /// The slots around a hit in the order of its thread. The hit is in the middle.
  struct strip {
    std::array<uint32_t, 2 * width - 1> slots;
    std::array<size_t, 2 * width - 1> weights; ///< where those of each slot begin
    size_t first = width - 1;                  ///< the slots from `first` to `last` exist
    size_t last = width - 1;
  };

  /// What is known of an observation near a hit.
  struct neighbour {
    size_t weights; ///< where they begin
    bool is_ranked = false;
  };

  static strip around(uint32_t slot, const slot_set* thread);
  void weigh(strip& x);
  candidate score(const strip& x, size_t at) const;

  const text_search& search_;
  size_t terms_;
  boost::unordered_flat_map<uint32_t, neighbour> known_; // by slot
  std::vector<double> weights_; // of all terms in one observation after another
};

} // namespace scratchpage
