#include "scratchpage/actors/page/index/slot_bits.hpp"

#include <algorithm>
#include <bit>

namespace scratchpage {

namespace {

// The functions below are compiled twice, because the baseline of x86-64 has no instruction to
// count bits, and nearly all processors have one.

/// Computes `to &= from`. Returns the number of bits that are left.
[[gnu::always_inline]] inline uint32_t and_words(uint64_t* to, const uint64_t* from) {
  uint64_t count = 0;
  for (size_t i = 0; i < slot_bits::words; ++i) {
    to[i] &= from[i];
    count += static_cast<uint64_t>(__builtin_popcountll(to[i]));
  }
  return static_cast<uint32_t>(count);
}

/// Counts the bits that are in both.
[[gnu::always_inline]] inline uint32_t count_words(const uint64_t* a, const uint64_t* b) {
  uint64_t count = 0;
  for (size_t i = 0; i < slot_bits::words; ++i)
    count += static_cast<uint64_t>(__builtin_popcountll(a[i] & b[i]));
  return static_cast<uint32_t>(count);
}

#if defined(__x86_64__)

[[gnu::target("popcnt,avx2")]] uint32_t and_words_fast(uint64_t* to, const uint64_t* from) {
  return and_words(to, from);
}

[[gnu::target("popcnt,avx2")]] uint32_t count_words_fast(const uint64_t* a, const uint64_t* b) {
  return count_words(a, b);
}

bool is_fast() {
  static const bool result = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
  return result;
}

#else

uint32_t and_words_fast(uint64_t* to, const uint64_t* from) {
  return and_words(to, from);
}

uint32_t count_words_fast(const uint64_t* a, const uint64_t* b) {
  return count_words(a, b);
}

bool is_fast() {
  return false;
}

#endif

} // namespace

uint32_t slot_bits::and_bits(uint64_t* to, const uint64_t* from) {
  return is_fast() ? and_words_fast(to, from) : and_words(to, from);
}

uint32_t slot_bits::count_bits(const uint64_t* a, const uint64_t* b) {
  return is_fast() ? count_words_fast(a, b) : count_words(a, b);
}

uint32_t slot_bits::count_bits(const uint64_t* bits) {
  return count_bits(bits, bits);
}

size_t slot_bits::read_below(
  const slot_set::chunk_view& in, uint32_t at, uint32_t base, std::span<uint32_t> to) {
  size_t n = 0;
  if (in.bits == nullptr) {
    const auto* i = std::lower_bound(in.list, in.list + in.count, at);
    while (n < to.size() && i != in.list)
      to[n++] = base + *--i;
    return n;
  }
  for (auto w = (at + 63) / 64; w-- > 0;) {
    auto rest = in.bits[w];
    if (at < (w + 1) * 64)
      rest &= (uint64_t{1} << (at % 64)) - 1;
    while (rest != 0) {
      if (n == to.size())
        return n;
      auto bit = 63 - static_cast<uint32_t>(std::countl_zero(rest));
      rest ^= uint64_t{1} << bit;
      to[n++] = base + w * 64 + bit;
    }
  }
  return n;
}

size_t slot_bits::read_from(
  const slot_set::chunk_view& in, uint32_t at, uint32_t base, std::span<uint32_t> to) {
  size_t n = 0;
  if (in.bits == nullptr) {
    const auto* i = std::lower_bound(in.list, in.list + in.count, at);
    while (n < to.size() && i != in.list + in.count)
      to[n++] = base + *i++;
    return n;
  }
  for (auto w = at / 64; w < words; ++w) {
    auto rest = in.bits[w];
    if (at > w * 64)
      rest &= ~uint64_t{0} << (at % 64);
    for (; rest != 0; rest &= rest - 1) {
      if (n == to.size())
        return n;
      to[n++] = base + w * 64 + static_cast<uint32_t>(std::countr_zero(rest));
    }
  }
  return n;
}

uint32_t slot_bits::count_both(const slot_set::chunk_view& a, const slot_set::chunk_view& b) {
  if (a.count == 0 || b.count == 0)
    return 0;
  if (a.bits != nullptr && b.bits != nullptr)
    return count_bits(a.bits, b.bits);
  const auto& few = a.bits != nullptr ? b : a;
  const auto& many = a.bits != nullptr ? a : b;
  uint32_t count = 0;
  for (uint32_t i = 0; i < few.count; ++i)
    count += has(many, few.list[i]) ? 1 : 0;
  return count;
}

} // namespace scratchpage
