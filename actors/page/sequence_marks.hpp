#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scratchpage {

/// Which of the last sequences are marked: a bit for each, in a ring that is made
/// with the first mark. Those more than the capacity before the highest marked one
/// are forgotten, and may be neither marked nor asked for.
class sequence_marks {
public:
  explicit sequence_marks(size_t capacity)
    : size_{capacity / 64 + 2} {}

  void mark(uint64_t sequence) {
    auto at = sequence / 64;
    if (at >= end_)
      reach(at);
    words_[at % size_] |= uint64_t{1} << (sequence % 64);
  }

  /// The first marked sequence in [from, to), or `to`.
  uint64_t next(uint64_t from, uint64_t to) const {
    const auto end = std::min(to, end_ * 64);
    while (from < end) {
      auto rest = words_[from / 64 % size_] >> (from % 64);
      if (rest != 0)
        return std::min(from + static_cast<uint64_t>(std::countr_zero(rest)), to);
      from = (from / 64 + 1) * 64;
    }
    return to;
  }

private:
  /// Clears what lies from the last word to this one.
  void reach(uint64_t at) {
    words_.resize(size_);
    for (auto i = std::max(end_, at + 1 - std::min<uint64_t>(at + 1, size_)); i <= at; ++i)
      words_[i % size_] = 0;
    end_ = at + 1;
  }

  uint64_t size_;
  uint64_t end_ = 0; ///< the word after the last that has a mark
  std::vector<uint64_t> words_;
};

} // namespace scratchpage
