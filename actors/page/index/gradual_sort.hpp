#pragma once

#include <algorithm>
#include <cstddef>

namespace scratchpage {

/// Sorts piece by piece, the best first, and asks after each piece whether the time is over: then
/// the rest stays as it is. The first piece, of `first_piece`, is always put in order. Whether
/// all are.
template <class It, class Less, class OutOfTime>
bool gradual_sort(
  It first, It last, ptrdiff_t first_piece, const Less& is_better, const OutOfTime& out_of_time) {
  constexpr ptrdiff_t longest_piece = 32'768; // takes a few milliseconds
  for (auto piece = first_piece; last - first > piece; piece = std::min(2 * piece, longest_piece)) {
    std::nth_element(first, first + piece, last, is_better);
    std::sort(first, first + piece, is_better);
    first += piece;
    if (out_of_time())
      return false;
  }
  std::sort(first, last, is_better);
  return true;
}

} // namespace scratchpage
