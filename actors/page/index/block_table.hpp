#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace scratchpage {

/// A table of values by number, in blocks of 256 that exist only while they have a value. It is
/// made for numbers that mostly grow: finding one takes constant time while there are no gaps
/// between blocks. `T` is default constructible, and a default value owns no memory.
template <class T>
class block_table {
public:
  static constexpr uint64_t block_size = 256;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// The value of `number`, or null. Valid until `number` is erased.
  T* find(uint64_t number) {
    auto i = locate(number / block_size);
    if (i == blocks_.size() || !blocks_[i].values->is_used(number % block_size))
      return nullptr;
    return &blocks_[i].values->slots[number % block_size];
  }

  const T* find(uint64_t number) const { return const_cast<block_table*>(this)->find(number); }

  /// The values of the block that `number` is in, or null; those of numbers without a value are
  /// default values.
  const std::array<T, block_size>* block_of(uint64_t number) const {
    auto i = locate(number / block_size);
    return i != blocks_.size() ? &blocks_[i].values->slots : nullptr;
  }

  /// Stores or overwrites the value of `number`.
  T& put(uint64_t number, T value) {
    auto& block = block_for(number / block_size);
    auto at = number % block_size;
    if (!block.is_used(at)) {
      block.used[at / 64] |= uint64_t{1} << (at % 64);
      ++block.count;
      ++size_;
    }
    block.slots[at] = std::move(value);
    return block.slots[at];
  }

  /// Returns whether there was a value.
  bool erase(uint64_t number) {
    auto i = locate(number / block_size);
    auto at = number % block_size;
    if (i == blocks_.size() || !blocks_[i].values->is_used(at))
      return false;
    auto& block = *blocks_[i].values;
    block.used[at / 64] &= ~(uint64_t{1} << (at % 64));
    block.slots[at] = T{};
    --size_;
    if (--block.count == 0)
      blocks_.erase(blocks_.begin() + static_cast<ptrdiff_t>(i));
    return true;
  }

  void clear() {
    blocks_.clear();
    size_ = 0;
  }

  /// The smallest number with a value that is at least `from`.
  std::optional<uint64_t> at_or_after(uint64_t from) const {
    auto i = lower_bound(from / block_size);
    for (; i < blocks_.size(); ++i) {
      auto start = blocks_[i].index * block_size;
      auto at = blocks_[i].values->next_used(from > start ? from - start : 0);
      if (at < block_size)
        return start + at;
    }
    return std::nullopt;
  }

  std::optional<uint64_t> first() const { return at_or_after(0); }

  std::optional<uint64_t> last() const {
    if (blocks_.empty())
      return std::nullopt;
    const auto& [index, values] = blocks_.back();
    uint64_t at = block_size - 1;
    while (!values->is_used(at))
      --at;
    return index * block_size + at;
  }

  /// The stored number with these low 32 bits. Numbers that are stored together
  /// must span less than 2^32 - 256; @pre not empty.
  uint64_t widen(uint32_t low) const {
    auto base = blocks_.front().index * block_size;
    return base + static_cast<uint32_t>(low - static_cast<uint32_t>(base));
  }

private:
  struct block {
    std::array<uint64_t, block_size / 64> used{};
    uint32_t count = 0;
    std::array<T, block_size> slots{};

    bool is_used(uint64_t at) const { return ((used[at / 64] >> (at % 64)) & 1) != 0; }

    /// The first used position from `at` on, or `block_size`.
    uint64_t next_used(uint64_t at) const {
      for (; at < block_size; at = (at / 64 + 1) * 64)
        if (auto rest = used[at / 64] >> (at % 64); rest != 0)
          return at + static_cast<uint64_t>(std::countr_zero(rest));
      return block_size;
    }
  };

  struct entry {
    uint64_t index;
    std::unique_ptr<block> values;
  };

  size_t lower_bound(uint64_t index) const {
    auto less = [](const entry& x, uint64_t wanted) { return x.index < wanted; };
    return static_cast<size_t>(
      std::lower_bound(blocks_.begin(), blocks_.end(), index, less) - blocks_.begin());
  }

  /// The position of a block, or blocks_.size().
  size_t locate(uint64_t index) const {
    if (blocks_.empty() || index < blocks_.front().index || index > blocks_.back().index)
      return blocks_.size();
    // Without gaps the position is the distance from the first block.
    auto guess = index - blocks_.front().index;
    if (guess < blocks_.size() && blocks_[guess].index == index)
      return guess;
    auto i = lower_bound(index);
    return i < blocks_.size() && blocks_[i].index == index ? i : blocks_.size();
  }

  block& block_for(uint64_t index) {
    if (!blocks_.empty() && blocks_.back().index == index)
      return *blocks_.back().values;
    auto i = lower_bound(index);
    if (i == blocks_.size() || blocks_[i].index != index)
      blocks_.insert(
        blocks_.begin() + static_cast<ptrdiff_t>(i), {index, std::make_unique<block>()});
    return *blocks_[i].values;
  }

  std::vector<entry> blocks_; // by index
  size_t size_ = 0;
};

} // namespace scratchpage
