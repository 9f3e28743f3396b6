#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace scratchpage {

/// A set of slots (32-bit row numbers): the posting set of the index. Its form depends on its size:
/// up to two slots are in the object's own 16 bytes, up to 256 in a sorted array, and more in
/// chunks of 2^16 slots. A chunk is a list of sorted 16-bit offsets or, from 2048 slots on, a
/// bitmap. Appending the largest slot so far takes constant time.
class slot_set {
public:
  static constexpr uint32_t chunk_slots = 1u << 16;
  static constexpr uint32_t max_flat = 256;  ///< slots in a plain array
  static constexpr uint32_t max_list = 2048; ///< offsets in a chunk that is a list

  /// The members in one chunk, as offsets. Exactly one pointer is set, or none if there are no
  /// members.
  struct chunk_view {
    const uint64_t* bits = nullptr; ///< 1024 words
    const uint16_t* list = nullptr; ///< ascending
    uint32_t count = 0;
  };

  using scratch = std::array<uint16_t, max_flat>;

  slot_set() noexcept
    : inlined_{} {}
  slot_set(slot_set&& other) noexcept { take(other); }
  slot_set& operator=(slot_set&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  ~slot_set() { clear(); }

  /// Returns false if the slot was a member already.
  bool add(uint32_t slot);
  /// Returns false if the slot was not a member.
  bool remove(uint32_t slot);
  bool contains(uint32_t slot) const;

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() {
    if (capacity_ != 0)
      release();
    size_ = capacity_ = 0;
  }

  /// The chunk of the slots whose upper 16 bits are `key`. The view may refer to `room`.
  chunk_view chunk(uint16_t key, scratch& room) const;

  /// Reads the members below `slot`, the largest first, until `to` is full. Returns how many.
  size_t before(uint32_t slot, std::span<uint32_t> to) const;
  /// Reads the members above `slot`, the smallest first, until `to` is full. Returns how many.
  size_t after(uint32_t slot, std::span<uint32_t> to) const;

  /// Finds those of some ascending slots that are members. Writes their positions among `slots` to
  /// the front of `to`, which is at least as long, and returns how many there are.
  size_t find(std::span<const uint32_t> slots, std::span<uint32_t> to) const;

  /// Removes all members that `other` does not have.
  void keep_shared(const slot_set& other);

  /// The bytes of the heap, about, that the set takes.
  uint64_t bytes() const;

  /// Calls `f(slot)` in ascending order until it returns false.
  template <class F>
  void for_each(F&& f) const;

private:
  struct chunks;
  static constexpr uint32_t is_chunked = UINT32_MAX;

  /// The members as an array; @pre not chunked.
  std::span<const uint32_t> flat() const { return {capacity_ == 0 ? inlined_ : array_, size_}; }
  /// Takes over the content of `other`, as bytes, because sets are moved whenever a dictionary
  /// grows; @pre this set owns no memory.
  void take(slot_set& other) {
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    std::memcpy(&inlined_, &other.inlined_, sizeof(inlined_));
  }

  void release();
  void make_room();
  void to_chunks();
  void to_flat();
  size_t chunk_count() const;
  uint16_t chunk_key(size_t i) const;

  friend uint32_t count_shared(const slot_set& a, const slot_set& b);

  uint32_t size_ = 0;
  uint32_t capacity_ = 0; // of array_; 0: inlined; is_chunked: chunks_
  union {
    uint32_t inlined_[2];
    uint32_t* array_;
    chunks* chunks_;
  };
};

static_assert(sizeof(slot_set) == 16);

/// The number of slots that are in both sets.
uint32_t count_shared(const slot_set& a, const slot_set& b);

/// The intermediate result of a query, within one chunk.
class slot_chunk {
public:
  using view = slot_set::chunk_view;

  uint32_t count() const { return count_; }
  bool contains(uint16_t offset) const;
  view as_view() const;

  void assign(const view& x);
  void unite(const view& x);
  /// The same as `assign` of the first view and `unite` of the others, but counts only once.
  void assign_union(std::span<const view> xs);
  void intersect(const view& x);
  void subtract(const view& x);
  /// Keeps the offsets in [from, to); `to` is at most 2^16.
  void clip(uint32_t from, uint32_t to);

  /// Keeps the offsets for which `wanted(offset)` returns true. Calls it from the largest down.
  template <class F>
  void keep_if(F&& wanted);

  /// Calls `f(offset)` for offsets below `below`, from the largest down, until
  /// it returns false.
  template <class F>
  void for_each_descending(uint32_t below, F&& f) const;

  /// The same for offsets from `from` on, from the smallest up. Returns false if `f` did.
  template <class F>
  bool for_each_ascending(uint32_t from, F&& f) const;

private:
  static constexpr size_t words = slot_set::chunk_slots / 64;

  void become_empty_list();
  void become_bits();
  void add_bits(const view& x);
  void intersect_lists(const view& x);

  bool is_bits_ = false;
  uint32_t count_ = 0;
  std::array<uint16_t, slot_set::max_list> list_; // ascending, if not is_bits_
  std::array<uint64_t, words> bits_{};            // all zero, if not is_bits_
};

// -- implementation -----------------------------------------------------------------

template <class F>
void slot_set::for_each(F&& f) const {
  if (capacity_ != is_chunked) {
    for (auto slot : flat())
      if (!f(slot))
        return;
    return;
  }
  scratch room;
  for (size_t i = 0; i < chunk_count(); ++i) {
    auto base = uint32_t{chunk_key(i)} << 16;
    auto x = chunk(chunk_key(i), room);
    if (x.list != nullptr) {
      for (uint32_t n = 0; n < x.count; ++n)
        if (!f(base + x.list[n]))
          return;
      continue;
    }
    if (x.bits == nullptr)
      continue; // the chunk is empty
    for (uint32_t w = 0; w < chunk_slots / 64; ++w)
      for (auto rest = x.bits[w]; rest != 0; rest &= rest - 1)
        if (!f(base + w * 64 + static_cast<uint32_t>(std::countr_zero(rest))))
          return;
  }
}

template <class F>
void slot_chunk::keep_if(F&& wanted) {
  uint32_t kept = 0;
  if (is_bits_) {
    for (size_t w = words; w-- > 0;)
      for (auto rest = bits_[w]; rest != 0;) {
        auto bit = 63 - static_cast<uint32_t>(std::countl_zero(rest));
        rest ^= uint64_t{1} << bit;
        if (wanted(static_cast<uint16_t>(w * 64 + bit)))
          ++kept;
        else
          bits_[w] ^= uint64_t{1} << bit;
      }
  } else {
    auto to = count_; // gathers at the end, then moves to the front
    for (auto i = count_; i-- > 0;)
      if (wanted(list_[i]))
        list_[--to] = list_[i];
    kept = count_ - to;
    for (uint32_t i = 0; i < kept; ++i)
      list_[i] = list_[to + i];
  }
  count_ = kept;
}

template <class F>
void slot_chunk::for_each_descending(uint32_t below, F&& f) const {
  if (!is_bits_) {
    for (auto i = count_; i-- > 0;)
      if (list_[i] < below && !f(list_[i]))
        return;
    return;
  }
  for (size_t w = (below + 63) / 64; w-- > 0;) {
    auto rest = bits_[w];
    if (below < (w + 1) * 64)
      rest &= (uint64_t{1} << (below % 64)) - 1;
    while (rest != 0) {
      auto bit = 63 - static_cast<uint32_t>(std::countl_zero(rest));
      rest ^= uint64_t{1} << bit;
      if (!f(static_cast<uint16_t>(w * 64 + bit)))
        return;
    }
  }
}

template <class F>
bool slot_chunk::for_each_ascending(uint32_t from, F&& f) const {
  if (!is_bits_) {
    for (auto i = std::lower_bound(list_.begin(), list_.begin() + count_, from) - list_.begin();
         i < count_; ++i)
      if (!f(list_[static_cast<size_t>(i)]))
        return false;
    return true;
  }
  for (size_t w = from / 64; w < words; ++w) {
    auto rest = bits_[w];
    if (from > w * 64)
      rest &= ~uint64_t{0} << (from % 64);
    for (; rest != 0; rest &= rest - 1)
      if (!f(static_cast<uint16_t>(w * 64 + static_cast<uint32_t>(std::countr_zero(rest)))))
        return false;
  }
  return true;
}

} // namespace scratchpage
