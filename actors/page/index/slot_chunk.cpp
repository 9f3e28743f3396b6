#include <algorithm>

#include "scratchpage/actors/page/index/slot_bits.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"

namespace scratchpage {

bool slot_chunk::contains(uint16_t offset) const {
  return slot_bits::has(as_view(), offset);
}

slot_chunk::view slot_chunk::as_view() const {
  return {is_bits_ ? bits_.data() : nullptr, is_bits_ ? nullptr : list_.data(), count_};
}

void slot_chunk::assign(const view& x) {
  if (x.bits != nullptr) {
    std::copy_n(x.bits, slot_bits::words, bits_.begin());
    is_bits_ = true;
  } else {
    become_empty_list();
    std::copy_n(x.list, x.count, list_.begin());
  }
  count_ = x.count;
}

void slot_chunk::unite(const view& x) {
  if (x.count == 0)
    return;
  if (count_ == 0)
    return assign(x);
  become_bits();
  add_bits(x);
  count_ = slot_bits::count_bits(bits_.data());
}

void slot_chunk::assign_union(std::span<const view> xs) {
  become_empty_list();
  if (xs.size() == 1)
    return assign(xs.front());
  become_bits();
  for (const auto& x : xs)
    add_bits(x);
  count_ = slot_bits::count_bits(bits_.data());
}

void slot_chunk::add_bits(const view& x) {
  if (x.bits != nullptr)
    for (size_t i = 0; i < slot_bits::words; ++i)
      bits_[i] |= x.bits[i];
  else
    for (uint32_t i = 0; i < x.count; ++i)
      bits_[x.list[i] / 64] |= slot_bits::mask(x.list[i]);
}

void slot_chunk::intersect(const view& x) {
  if (x.count == 0)
    return become_empty_list();
  if (is_bits_ && x.bits != nullptr) {
    count_ = slot_bits::and_bits(bits_.data(), x.bits);
  } else if (is_bits_) {
    uint32_t n = 0; // without a branch, which could not be predicted
    for (uint32_t i = 0; i < x.count; ++i) {
      list_[n] = x.list[i];
      n += slot_bits::test(bits_.data(), x.list[i]) ? 1 : 0;
    }
    become_empty_list();
    count_ = n;
  } else if (x.bits != nullptr) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      auto at = list_[i];
      list_[n] = at;
      n += slot_bits::test(x.bits, at) ? 1 : 0;
    }
    count_ = n;
  } else {
    intersect_lists(x);
  }
}

void slot_chunk::subtract(const view& x) {
  if (x.count == 0)
    return;
  if (!is_bits_) {
    auto is_in = [&x](uint16_t at) { return slot_bits::has(x, at); };
    auto end = std::remove_if(list_.begin(), list_.begin() + count_, is_in);
    count_ = static_cast<uint32_t>(end - list_.begin());
    return;
  }
  if (x.bits != nullptr)
    for (size_t i = 0; i < slot_bits::words; ++i)
      bits_[i] &= ~x.bits[i];
  else
    for (uint32_t i = 0; i < x.count; ++i)
      bits_[x.list[i] / 64] &= ~slot_bits::mask(x.list[i]);
  count_ = slot_bits::count_bits(bits_.data());
}

void slot_chunk::clip(uint32_t from, uint32_t to) {
  if (!is_bits_)
    return keep_if([=](uint16_t at) { return at >= from && at < to; });
  for (size_t i = 0; i < slot_bits::words; ++i) {
    auto first = i * 64;
    if (first + 64 <= from || first >= to)
      bits_[i] = 0;
    if (from > first && from < first + 64)
      bits_[i] &= ~uint64_t{0} << (from - first);
    if (to > first && to < first + 64)
      bits_[i] &= ~(~uint64_t{0} << (to - first));
  }
  count_ = slot_bits::count_bits(bits_.data());
}

void slot_chunk::become_empty_list() {
  if (is_bits_)
    bits_.fill(0);
  is_bits_ = false;
  count_ = 0;
}

void slot_chunk::become_bits() {
  if (is_bits_)
    return;
  for (uint32_t i = 0; i < count_; ++i)
    bits_[list_[i] / 64] |= slot_bits::mask(list_[i]);
  is_bits_ = true;
}

/// Searches for the elements of a list in one that is much longer. Otherwise uses a bitmap, because
/// merging two lists mispredicts every other branch.
void slot_chunk::intersect_lists(const view& x) {
  constexpr uint32_t much_longer = 32;
  uint32_t n = 0;
  if (x.count > count_ * much_longer || count_ > x.count * much_longer) {
    auto mine_is_short = count_ < x.count;
    const auto* few = mine_is_short ? list_.data() : x.list;
    const auto* many = mine_is_short ? x.list : list_.data();
    const auto* many_end = many + std::max(count_, x.count);
    for (auto i = std::min(count_, x.count); i > 0; --i, ++few) {
      many = std::lower_bound(many, many_end, *few);
      if (many == many_end)
        break;
      if (*many == *few)
        list_[n++] = *few; // never overwrites elements that are still to be read
    }
    count_ = n;
    return;
  }
  for (uint32_t i = 0; i < x.count; ++i)
    bits_[x.list[i] / 64] |= slot_bits::mask(x.list[i]);
  for (uint32_t i = 0; i < count_; ++i) {
    auto at = list_[i];
    list_[n] = at;
    n += slot_bits::test(bits_.data(), at) ? 1 : 0;
  }
  for (uint32_t i = 0; i < x.count; ++i)
    bits_[x.list[i] / 64] = 0;
  count_ = n;
}

} // namespace scratchpage
