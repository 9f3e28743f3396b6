#pragma once

#include <cstddef>

#include "scratchpage/messages/memory.hpp"

namespace scratchpage {

/// What the story of a turn, and what is told of stories, may take.
struct episode_limits {
  static constexpr size_t bytes = size_t{16} << 20; ///< of a story, as JSON and, about, in memory
  static constexpr size_t answer_bytes = size_t{8} << 20;  ///< about, of all in one answer
  static constexpr size_t listed_bytes = size_t{32} << 20; ///< about, that one list of turns reads
};

/// About how many bytes of memory its observations take.
size_t memory_of(const episode& x);

/// Leaves out and counts the observations that are too much for a story, of which there are no
/// null ones. What others have said goes first, then what the ensemble's tools have said, and last
/// the user's input and what the ensemble has said; of each of these the largest.
void keep_limits(episode& x);

} // namespace scratchpage
