#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scratchpage/actors/page/index/slot_set.hpp"

namespace scratchpage {

/// Operations on the bitmaps and sorted lists of 16-bit offsets that chunks of slots consist of.
struct slot_bits {
  static constexpr size_t words = slot_set::chunk_slots / 64;

  static bool test(const uint64_t* bits, uint16_t at) {
    return ((bits[at / 64] >> (at % 64)) & 1) != 0;
  }

  static uint64_t mask(uint16_t at) { return uint64_t{1} << (at % 64); }

  /// Computes `to &= from`. Returns the number of bits that are left.
  static uint32_t and_bits(uint64_t* to, const uint64_t* from);

  /// The number of bits, and of those that are in both.
  static uint32_t count_bits(const uint64_t* bits);
  static uint32_t count_bits(const uint64_t* a, const uint64_t* b);

  /// Whether the view has the offset.
  static bool has(const slot_set::chunk_view& in, uint16_t at) {
    return in.bits != nullptr ? test(in.bits, at)
                              : std::binary_search(in.list, in.list + in.count, at);
  }

  /// Reads the offsets below `at`, which may be 2^16, the largest first, until `to` is full. Adds
  /// `base` to each. Returns how many.
  static size_t read_below(
    const slot_set::chunk_view& in, uint32_t at, uint32_t base, std::span<uint32_t> to);

  /// The same of the offsets that are at least `at`, which may be 2^16, the smallest first.
  static size_t read_from(
    const slot_set::chunk_view& in, uint32_t at, uint32_t base, std::span<uint32_t> to);

  /// The number of offsets that are in both.
  static uint32_t count_both(const slot_set::chunk_view& a, const slot_set::chunk_view& b);
};

} // namespace scratchpage
