#include "scratchpage/actors/page/index/slot_set.hpp"

#include <algorithm>
#include <vector>

#include "scratchpage/actors/page/index/slot_bits.hpp"

namespace scratchpage {

namespace {

/// Returns the first number of a sorted array that is, added to `base`, at least `wanted`. The
/// search begins at the front, with steps that double, because it is mostly near.
template <class T>
const T* leap(const T* i, const T* end, uint32_t base, uint32_t wanted) {
  if (i == end || base + *i >= wanted)
    return i;
  ptrdiff_t step = 1;
  while (step < end - i && base + i[step] < wanted) {
    i += step;
    step *= 2;
  }
  return std::lower_bound(i + 1, i + std::min(step, end - i), wanted,
    [base](T x, uint32_t slot) { return base + x < slot; });
}

/// Finds those of some ascending slots that a sorted array has, whose numbers count from `base`.
/// Writes their positions, which count from `offset`, and returns how many there are.
template <class T>
size_t find_in(const T* i, size_t size, uint32_t base, std::span<const uint32_t> slots,
  size_t offset, uint32_t* to) {
  const auto* end = i + size;
  const auto* slot = slots.data();
  if (!slots.empty())
    i = std::lower_bound(i, end, *slot, [base](T x, uint32_t wanted) { return base + x < wanted; });
  const auto* last = slot + slots.size();
  size_t count = 0;
  while (slot != last) {
    i = leap(i, end, base, *slot);
    if (i == end)
      break;
    slot = leap(slot, last, 0, base + *i);
    if (slot != last && *slot == base + *i)
      to[count++] = static_cast<uint32_t>(offset + static_cast<size_t>(slot++ - slots.data()));
  }
  return count;
}

/// The same of a bitmap. It is without a branch, which could not be predicted.
size_t find_in(const uint64_t* bits, std::span<const uint32_t> slots, size_t offset, uint32_t* to) {
  size_t count = 0;
  for (size_t i = 0; i < slots.size(); ++i) {
    to[count] = static_cast<uint32_t>(offset + i);
    count += slot_bits::test(bits, static_cast<uint16_t>(slots[i])) ? 1 : 0;
  }
  return count;
}

} // namespace

// -- slot_set -----------------------------------------------------------------------

struct slot_set::chunks {
  struct chunk {
    uint16_t key;
    bool is_bits = false;
    uint32_t count = 0;
    uint32_t capacity = 0; // of list
    std::unique_ptr<uint16_t[]> list;
    std::unique_ptr<uint64_t[]> bits;

    uint32_t first() const { return uint32_t{key} << 16; }
    uint64_t bytes() const { return is_bits ? slot_bits::words * 8 : capacity * sizeof(uint16_t); }
    chunk_view view() const {
      return {is_bits ? bits.get() : nullptr, is_bits ? nullptr : list.get(), count};
    }

    uint16_t* find(uint16_t at) const {
      return std::lower_bound(list.get(), list.get() + count, at);
    }

    bool contains(uint16_t at) const {
      if (is_bits)
        return slot_bits::test(bits.get(), at);
      auto* i = find(at);
      return i != list.get() + count && *i == at;
    }

    bool add(uint16_t at) {
      if (is_bits) {
        auto& word = bits[at / 64];
        auto was = word;
        word |= slot_bits::mask(at);
        count += word != was ? 1 : 0;
        return word != was;
      }
      auto* i = count == 0 || list[count - 1] < at ? list.get() + count : find(at);
      if (i != list.get() + count && *i == at)
        return false;
      if (count == max_list) {
        to_bits();
        return add(at);
      }
      auto position = i - list.get();
      if (count == capacity)
        resize(std::clamp(capacity + capacity / 2, 8u, max_list));
      i = list.get() + position;
      std::move_backward(i, list.get() + count, list.get() + count + 1);
      *i = at;
      ++count;
      return true;
    }

    bool remove(uint16_t at) {
      if (!contains(at))
        return false;
      if (is_bits) {
        bits[at / 64] ^= slot_bits::mask(at);
        // Well below the size at which it became a bitmap, so that it does not change back and
        // forth.
        if (--count < max_list / 2)
          to_list();
        return true;
      }
      auto* i = find(at);
      std::move(i + 1, list.get() + count, i);
      --count;
      return true;
    }

    /// Keeps the offsets that are in `other`, too.
    void keep_shared(const chunk_view& other) {
      if (!is_bits) {
        auto is_gone = [&other](
                         uint16_t at) { return other.count == 0 || !slot_bits::has(other, at); };
        auto* end = std::remove_if(list.get(), list.get() + count, is_gone);
        count = static_cast<uint32_t>(end - list.get());
        return;
      }
      if (other.bits != nullptr) {
        count = slot_bits::and_bits(bits.get(), other.bits);
      } else {
        auto kept = std::make_unique<uint64_t[]>(slot_bits::words);
        uint32_t n = 0;
        for (uint32_t i = 0; i < other.count; ++i)
          if (slot_bits::test(bits.get(), other.list[i])) {
            kept[other.list[i] / 64] |= slot_bits::mask(other.list[i]);
            ++n;
          }
        bits = std::move(kept);
        count = n;
      }
      if (count < max_list / 2)
        to_list();
    }

    void resize(uint32_t wanted) {
      auto larger = std::make_unique_for_overwrite<uint16_t[]>(wanted);
      std::copy_n(list.get(), count, larger.get());
      list = std::move(larger);
      capacity = wanted;
    }

    void to_bits() {
      bits = std::make_unique<uint64_t[]>(slot_bits::words);
      for (uint32_t i = 0; i < count; ++i)
        bits[list[i] / 64] |= slot_bits::mask(list[i]);
      list.reset();
      is_bits = true;
    }

    void to_list() {
      capacity = max_list / 2;
      list = std::make_unique_for_overwrite<uint16_t[]>(capacity);
      uint32_t n = 0;
      for (size_t w = 0; w < slot_bits::words; ++w)
        for (auto rest = bits[w]; rest != 0; rest &= rest - 1)
          list[n++] = static_cast<uint16_t>(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
      bits.reset();
      is_bits = false;
    }
  };

  static constexpr uint64_t bytes_each = sizeof(chunk) + 16; // with the overhead of an allocation

  std::vector<chunk> all; // by key
  uint64_t bytes = 0;     // of the offsets in all of them

  const chunk* find(uint16_t key) const {
    if (!all.empty() && all.back().key == key)
      return &all.back();
    auto i = position(key);
    return i != all.end() && i->key == key ? &*i : nullptr;
  }

  std::vector<chunk>::const_iterator position(uint16_t key) const {
    return std::lower_bound(
      all.begin(), all.end(), key, [](const chunk& x, uint16_t wanted) { return x.key < wanted; });
  }

  chunk& at(uint16_t key) {
    if (!all.empty() && all.back().key == key)
      return all.back();
    auto i = all.begin() + (position(key) - all.cbegin());
    if (i == all.end() || i->key != key) {
      i = all.emplace(i);
      i->key = key;
    }
    return *i;
  }

  bool add(uint32_t slot) {
    auto& to = at(static_cast<uint16_t>(slot >> 16));
    auto was = to.bytes();
    auto added = to.add(static_cast<uint16_t>(slot));
    bytes += to.bytes() - was;
    return added;
  }

  bool remove(uint32_t slot) {
    auto i = all.begin() + (position(static_cast<uint16_t>(slot >> 16)) - all.cbegin());
    if (i == all.end() || i->key != slot >> 16)
      return false;
    auto was = i->bytes();
    if (!i->remove(static_cast<uint16_t>(slot)))
      return false;
    bytes += i->bytes() - was;
    if (i->count == 0) {
      bytes -= i->bytes();
      all.erase(i);
    }
    return true;
  }

  uint32_t keep_shared(const slot_set& other) {
    scratch room;
    uint32_t left = 0;
    bytes = 0;
    for (auto& x : all) {
      x.keep_shared(other.chunk(x.key, room));
      left += x.count;
      bytes += x.count > 0 ? x.bytes() : 0;
    }
    std::erase_if(all, [](const chunk& x) { return x.count == 0; });
    return left;
  }
};

void slot_set::release() {
  if (capacity_ == is_chunked)
    delete chunks_;
  else
    delete[] array_;
}

bool slot_set::add(uint32_t slot) {
  if (capacity_ == is_chunked) {
    auto added = chunks_->add(slot);
    size_ += added ? 1 : 0;
    return added;
  }
  auto all = flat();
  auto position = size_;
  if (size_ > 0 && all.back() >= slot) {
    auto i = std::lower_bound(all.begin(), all.end(), slot);
    if (*i == slot)
      return false;
    position = static_cast<uint32_t>(i - all.begin());
  }
  if (size_ == max_flat) {
    to_chunks();
    return add(slot);
  }
  make_room();
  auto* data = capacity_ == 0 ? inlined_ : array_;
  std::move_backward(data + position, data + size_, data + size_ + 1);
  data[position] = slot;
  ++size_;
  return true;
}

bool slot_set::remove(uint32_t slot) {
  if (capacity_ == is_chunked) {
    if (!chunks_->remove(slot))
      return false;
    // Far below the size at which it got chunks, so that it does not change back and forth.
    if (--size_ < max_flat / 4)
      to_flat();
    return true;
  }
  auto* data = capacity_ == 0 ? inlined_ : array_;
  auto* i = std::lower_bound(data, data + size_, slot);
  if (i == data + size_ || *i != slot)
    return false;
  std::move(i + 1, data + size_, i);
  if (--size_ == 0)
    clear();
  return true;
}

bool slot_set::contains(uint32_t slot) const {
  if (capacity_ == is_chunked) {
    const auto* x = chunks_->find(static_cast<uint16_t>(slot >> 16));
    return x != nullptr && x->contains(static_cast<uint16_t>(slot));
  }
  auto all = flat();
  return std::binary_search(all.begin(), all.end(), slot);
}

slot_set::chunk_view slot_set::chunk(uint16_t key, scratch& room) const {
  chunk_view result;
  if (capacity_ == is_chunked) {
    const auto* x = chunks_->find(key);
    if (x == nullptr)
      return result;
    return x->view();
  }
  auto all = flat();
  auto first = uint32_t{key} << 16;
  for (auto i = std::lower_bound(all.begin(), all.end(), first);
       i != all.end() && (*i >> 16) == key; ++i)
    room[result.count++] = static_cast<uint16_t>(*i);
  result.list = result.count > 0 ? room.data() : nullptr;
  return result;
}

size_t slot_set::before(uint32_t slot, std::span<uint32_t> to) const {
  if (capacity_ != is_chunked) {
    auto all = flat();
    auto below = std::lower_bound(all.begin(), all.end(), slot) - all.begin();
    auto count = std::min(to.size(), static_cast<size_t>(below));
    std::reverse_copy(
      all.begin() + (below - static_cast<ptrdiff_t>(count)), all.begin() + below, to.begin());
    return count;
  }
  const auto& all = chunks_->all;
  auto i = chunks_->position(static_cast<uint16_t>(slot >> 16));
  size_t count = 0;
  if (i != all.end() && i->key == slot >> 16)
    count = slot_bits::read_below(i->view(), slot % chunk_slots, i->first(), to);
  while (count < to.size() && i != all.begin()) {
    --i;
    count += slot_bits::read_below(i->view(), chunk_slots, i->first(), to.subspan(count));
  }
  return count;
}

size_t slot_set::after(uint32_t slot, std::span<uint32_t> to) const {
  if (capacity_ != is_chunked) {
    auto all = flat();
    auto above = all.subspan(
      static_cast<size_t>(std::upper_bound(all.begin(), all.end(), slot) - all.begin()));
    auto count = std::min(to.size(), above.size());
    std::copy_n(above.begin(), count, to.begin());
    return count;
  }
  const auto& all = chunks_->all;
  auto i = chunks_->position(static_cast<uint16_t>(slot >> 16));
  size_t count = 0;
  for (; count < to.size() && i != all.end(); ++i) {
    auto from = i->key == slot >> 16 ? slot % chunk_slots + 1 : 0;
    count += slot_bits::read_from(i->view(), from, i->first(), to.subspan(count));
  }
  return count;
}

size_t slot_set::find(std::span<const uint32_t> slots, std::span<uint32_t> to) const {
  if (capacity_ != is_chunked)
    return find_in(flat().data(), size_, 0, slots, 0, to.data());
  size_t count = 0;
  for (size_t first = 0; first < slots.size();) {
    auto key = static_cast<uint16_t>(slots[first] >> 16);
    auto end = first + 1;
    while (end < slots.size() && slots[end] >> 16 == key)
      ++end;
    auto part = slots.subspan(first, end - first);
    if (const auto* x = chunks_->find(key); x != nullptr && x->is_bits)
      count += find_in(x->bits.get(), part, first, &to[count]);
    else if (x != nullptr)
      count += find_in(x->list.get(), x->count, x->first(), part, first, &to[count]);
    first = end;
  }
  return count;
}

void slot_set::keep_shared(const slot_set& other) {
  if (capacity_ == is_chunked) {
    size_ = chunks_->keep_shared(other);
    if (size_ < max_flat / 4)
      to_flat();
  } else {
    auto* data = capacity_ == 0 ? inlined_ : array_;
    auto* end =
      std::remove_if(data, data + size_, [&other](uint32_t slot) { return !other.contains(slot); });
    size_ = static_cast<uint32_t>(end - data);
  }
  if (size_ == 0)
    clear();
}

uint64_t slot_set::bytes() const {
  if (capacity_ == is_chunked)
    return sizeof(chunks) + chunks_->bytes + chunks_->all.capacity() * chunks::bytes_each;
  constexpr uint64_t overhead = 16; // of an allocation
  return capacity_ == 0 ? 0 : capacity_ * sizeof(uint32_t) + overhead;
}

uint32_t count_shared(const slot_set& a, const slot_set& b) {
  if (a.capacity_ != slot_set::is_chunked) {
    auto all = a.flat();
    return static_cast<uint32_t>(
      std::count_if(all.begin(), all.end(), [&b](uint32_t slot) { return b.contains(slot); }));
  }
  slot_set::scratch room;
  uint32_t count = 0;
  for (const auto& x : a.chunks_->all)
    count += slot_bits::count_both(x.view(), b.chunk(x.key, room));
  return count;
}

void slot_set::make_room() {
  constexpr uint32_t in_place = 2;
  if (size_ < (capacity_ == 0 ? in_place : capacity_))
    return;
  auto wanted = capacity_ == 0 ? 4 : std::min(capacity_ * 2, max_flat);
  auto* larger = new uint32_t[wanted];
  std::copy_n(capacity_ == 0 ? inlined_ : array_, size_, larger);
  if (capacity_ != 0)
    delete[] array_;
  array_ = larger;
  capacity_ = wanted;
}

void slot_set::to_chunks() {
  auto result = std::make_unique<chunks>();
  for (auto slot : flat())
    result->add(slot);
  delete[] array_;
  chunks_ = result.release();
  capacity_ = is_chunked;
}

void slot_set::to_flat() {
  auto* array = new uint32_t[max_flat / 4];
  size_t n = 0;
  for_each([&](uint32_t slot) {
    array[n++] = slot;
    return true;
  });
  delete chunks_;
  array_ = array;
  capacity_ = max_flat / 4;
}

size_t slot_set::chunk_count() const {
  return chunks_->all.size();
}

uint16_t slot_set::chunk_key(size_t i) const {
  return chunks_->all[i].key;
}

} // namespace scratchpage
