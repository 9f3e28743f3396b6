#include "scratchpage/actors/page/index/slot_set.hpp"

#include <algorithm>
#include <vector>

namespace scratchpage {

namespace {

constexpr size_t words = slot_set::chunk_slots / 64;

bool test(const uint64_t* bits, uint16_t at) {
  return ((bits[at / 64] >> (at % 64)) & 1) != 0;
}

uint64_t mask(uint16_t at) {
  return uint64_t{1} << (at % 64);
}

/// Computes `to &= from`. Returns the number of bits that are left.
inline uint32_t and_words(uint64_t* to, const uint64_t* from) {
  uint64_t count = 0;
  for (size_t i = 0; i < words; ++i) {
    to[i] &= from[i];
    count += static_cast<uint64_t>(std::popcount(to[i]));
  }
  return static_cast<uint32_t>(count);
}

#if defined(__x86_64__)

// The baseline of x86-64 has no instruction to count bits; nearly all processors have one.
[[gnu::target("popcnt,avx2")]] uint32_t and_words_fast(uint64_t* to, const uint64_t* from) {
  uint64_t count = 0;
  for (size_t i = 0; i < words; ++i) {
    to[i] &= from[i];
    count += static_cast<uint64_t>(__builtin_popcountll(to[i]));
  }
  return static_cast<uint32_t>(count);
}

uint32_t and_bits(uint64_t* to, const uint64_t* from) {
  static const bool is_fast = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
  return is_fast ? and_words_fast(to, from) : and_words(to, from);
}

#else

uint32_t and_bits(uint64_t* to, const uint64_t* from) {
  return and_words(to, from);
}

#endif

uint32_t count_bits(const uint64_t* bits) {
  uint32_t count = 0;
  for (size_t i = 0; i < words; ++i)
    count += static_cast<uint32_t>(std::popcount(bits[i]));
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

    uint16_t* find(uint16_t at) const {
      return std::lower_bound(list.get(), list.get() + count, at);
    }

    bool contains(uint16_t at) const {
      if (is_bits)
        return test(bits.get(), at);
      auto* i = find(at);
      return i != list.get() + count && *i == at;
    }

    bool add(uint16_t at) {
      if (is_bits) {
        auto& word = bits[at / 64];
        auto was = word;
        word |= mask(at);
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
        bits[at / 64] ^= mask(at);
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

    void resize(uint32_t wanted) {
      auto larger = std::make_unique_for_overwrite<uint16_t[]>(wanted);
      std::copy_n(list.get(), count, larger.get());
      list = std::move(larger);
      capacity = wanted;
    }

    void to_bits() {
      bits = std::make_unique<uint64_t[]>(words);
      for (uint32_t i = 0; i < count; ++i)
        bits[list[i] / 64] |= mask(list[i]);
      list.reset();
      is_bits = true;
    }

    void to_list() {
      capacity = max_list / 2;
      list = std::make_unique_for_overwrite<uint16_t[]>(capacity);
      uint32_t n = 0;
      for (size_t w = 0; w < words; ++w)
        for (auto rest = bits[w]; rest != 0; rest &= rest - 1)
          list[n++] = static_cast<uint16_t>(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
      bits.reset();
      is_bits = false;
    }
  };

  std::vector<chunk> all; // by key

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

  bool remove(uint32_t slot) {
    auto i = all.begin() + (position(static_cast<uint16_t>(slot >> 16)) - all.cbegin());
    if (i == all.end() || i->key != slot >> 16 || !i->remove(static_cast<uint16_t>(slot)))
      return false;
    if (i->count == 0)
      all.erase(i);
    return true;
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
    auto added = chunks_->at(static_cast<uint16_t>(slot >> 16)).add(static_cast<uint16_t>(slot));
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
    return {x->is_bits ? x->bits.get() : nullptr, x->is_bits ? nullptr : x->list.get(), x->count};
  }
  auto all = flat();
  auto first = uint32_t{key} << 16;
  for (auto i = std::lower_bound(all.begin(), all.end(), first);
       i != all.end() && (*i >> 16) == key; ++i)
    room[result.count++] = static_cast<uint16_t>(*i);
  result.list = result.count > 0 ? room.data() : nullptr;
  return result;
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
    result->at(static_cast<uint16_t>(slot >> 16)).add(static_cast<uint16_t>(slot));
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

// -- slot_chunk ---------------------------------------------------------------------

bool slot_chunk::contains(uint16_t offset) const {
  return is_bits_ ? test(bits_.data(), offset)
                  : std::binary_search(list_.begin(), list_.begin() + count_, offset);
}

slot_chunk::view slot_chunk::as_view() const {
  return {is_bits_ ? bits_.data() : nullptr, is_bits_ ? nullptr : list_.data(), count_};
}

void slot_chunk::assign(const view& x) {
  if (x.bits != nullptr) {
    std::copy_n(x.bits, words, bits_.begin());
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
  if (x.bits != nullptr)
    for (size_t i = 0; i < words; ++i)
      bits_[i] |= x.bits[i];
  else
    for (uint32_t i = 0; i < x.count; ++i)
      bits_[x.list[i] / 64] |= mask(x.list[i]);
  count_ = count_bits(bits_.data());
}

void slot_chunk::intersect(const view& x) {
  if (x.count == 0)
    return become_empty_list();
  if (is_bits_ && x.bits != nullptr) {
    count_ = and_bits(bits_.data(), x.bits);
  } else if (is_bits_) {
    uint32_t n = 0; // without a branch, which could not be predicted
    for (uint32_t i = 0; i < x.count; ++i) {
      list_[n] = x.list[i];
      n += test(bits_.data(), x.list[i]) ? 1 : 0;
    }
    become_empty_list();
    count_ = n;
  } else if (x.bits != nullptr) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      auto at = list_[i];
      list_[n] = at;
      n += test(x.bits, at) ? 1 : 0;
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
    auto is_in = [&x](uint16_t at) {
      return x.bits != nullptr ? test(x.bits, at)
                               : std::binary_search(x.list, x.list + x.count, at);
    };
    auto end = std::remove_if(list_.begin(), list_.begin() + count_, is_in);
    count_ = static_cast<uint32_t>(end - list_.begin());
    return;
  }
  if (x.bits != nullptr)
    for (size_t i = 0; i < words; ++i)
      bits_[i] &= ~x.bits[i];
  else
    for (uint32_t i = 0; i < x.count; ++i)
      bits_[x.list[i] / 64] &= ~mask(x.list[i]);
  count_ = count_bits(bits_.data());
}

void slot_chunk::clip(uint32_t from, uint32_t to) {
  if (!is_bits_)
    return keep_if([=](uint16_t at) { return at >= from && at < to; });
  for (size_t i = 0; i < words; ++i) {
    auto first = i * 64;
    if (first + 64 <= from || first >= to)
      bits_[i] = 0;
    if (from > first && from < first + 64)
      bits_[i] &= ~uint64_t{0} << (from - first);
    if (to > first && to < first + 64)
      bits_[i] &= ~(~uint64_t{0} << (to - first));
  }
  count_ = count_bits(bits_.data());
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
    bits_[list_[i] / 64] |= mask(list_[i]);
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
    bits_[x.list[i] / 64] |= mask(x.list[i]);
  for (uint32_t i = 0; i < count_; ++i) {
    auto at = list_[i];
    list_[n] = at;
    n += test(bits_.data(), at) ? 1 : 0;
  }
  for (uint32_t i = 0; i < x.count; ++i)
    bits_[x.list[i] / 64] = 0;
  count_ = n;
}

} // namespace scratchpage
