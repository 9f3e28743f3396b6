#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scratchpage {

/// Which of the last sequences are marked: a bit for each, in a ring. A sequence
/// is put once, and those more than the capacity before it are forgotten.
class sequence_marks {
public:
  explicit sequence_marks(size_t capacity)
    : words_(capacity / 64 + 1) {}

  void put(uint64_t sequence, bool is_marked) {
    auto& word = words_[sequence / 64 % words_.size()];
    auto bit = uint64_t{1} << (sequence % 64);
    word = is_marked ? word | bit : word & ~bit;
  }

  /// The first marked sequence in [from, to), or `to`. All of them must have
  /// been put, at most the capacity before the last that was.
  uint64_t next(uint64_t from, uint64_t to) const {
    while (from < to) {
      auto rest = words_[from / 64 % words_.size()] >> (from % 64);
      if (rest != 0) {
        auto found = from + static_cast<uint64_t>(std::countr_zero(rest));
        return found < to ? found : to;
      }
      from = (from / 64 + 1) * 64;
    }
    return to;
  }

private:
  std::vector<uint64_t> words_;
};

} // namespace scratchpage
