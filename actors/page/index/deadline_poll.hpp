#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace scratchpage {

/// Counts the steps of a piece of work, and calls `out_of_time` once in `every` steps.
class deadline_poll {
public:
  /// If `out_of_time` is empty, the time is never over.
  deadline_poll(std::function<bool()> out_of_time, size_t every)
    : out_of_time_{std::move(out_of_time)},
      every_{every} {}

  /// Counts a step. Returns whether the time is over.
  bool step() {
    if (!is_over_ && ++steps_ % every_ == 0)
      is_over_ = out_of_time_ && out_of_time_();
    return is_over_;
  }

  bool is_over() const { return is_over_; }

private:
  std::function<bool()> out_of_time_;
  size_t every_;
  size_t steps_ = 0;
  bool is_over_ = false;
};

/// Sorts piece by piece, the best first, and stops after a piece if the time is over: the rest then
/// stays unsorted. The first piece, of `first_piece` elements, is always sorted. Returns whether
/// all elements are sorted.
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
