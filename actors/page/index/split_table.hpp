#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace scratchpage {

/// A hash table in parts (extendible hashing). A part that becomes too large is split in two, so
/// growing or shrinking never moves more than some thousand elements. One large table would stop
/// the page for tens of milliseconds. A small table has one part.
///
/// `Table` is a Boost unordered flat map or set whose hash and equality are
/// transparent and stateless.
template <class Table>
class split_table {
public:
  using value_type = typename Table::value_type;

  size_t size() const { return size_; }

  /// The element with that key, or null. Valid until the next insertion or erasure.
  template <class Key>
  auto* find(const Key& key) {
    auto& part = part_of(key);
    auto i = part.find(key);
    return i != part.end() ? &*i : nullptr;
  }

  template <class Key>
  const value_type* find(const Key& key) const {
    const auto& part = parts_[directory_[slot_of(key)]].table;
    auto i = part.find(key);
    return i != part.end() ? &*i : nullptr;
  }

  /// Inserts `x`, which has this key; @pre the table has no element with the key.
  template <class Key>
  auto* insert(const Key& key, value_type x) {
    if (part_of(key).size() >= max_part)
      split(directory_[slot_of(key)]);
    ++size_;
    return &*part_of(key).insert(std::move(x)).first;
  }

  template <class Key>
  void erase(const Key& key) {
    auto& part = part_of(key);
    auto i = part.find(key);
    if (i == part.end())
      return;
    part.erase(i);
    --size_;
    if (part.bucket_count() > 64 && part.size() < part.bucket_count() / 16)
      part.rehash(part.size() * 2);
  }

  void clear() { *this = split_table{}; }

  /// Calls `f(element)` in no particular order.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& part : parts_)
      for (const auto& x : part.table)
        f(x);
  }

private:
  /// Just below the number of elements at which a table of this size would grow. To split a part of
  /// four times as many pointers took 0.7 ms, since the hash of each is read where it points to.
  static constexpr size_t max_part = 1500;

  struct part {
    Table table;
    unsigned depth = 0; ///< number of hash bits that all its elements share
  };

  template <class Key>
  static uint64_t scrambled(const Key& key) {
    // The table itself uses the upper bits of the hash.
    return typename Table::hasher{}(key)*0xD6E8FEB86659FD93ull;
  }

  template <class Key>
  size_t slot_of(const Key& key) const {
    return depth_ == 0 ? 0 : scrambled(key) >> (64 - depth_);
  }

  template <class Key>
  Table& part_of(const Key& key) {
    return parts_[directory_[slot_of(key)]].table;
  }

  template <class Key>
  static const Key& key_of(const Key& x) {
    return x;
  }

  template <class Key, class T>
  static const Key& key_of(const std::pair<const Key, T>& x) {
    return x.first;
  }

  void split(uint32_t index) {
    if (parts_[index].depth == max_depth)
      return; // thousands of elements have the same hash: this works, but is slower
    if (parts_[index].depth == depth_)
      double_directory();
    auto other = static_cast<uint32_t>(parts_.size());
    parts_.emplace_back();
    auto depth = ++parts_[index].depth;
    parts_[other].depth = depth;
    // The new part gets the upper half of the directory's slots that refer to the old one.
    for (size_t i = 0; i < directory_.size(); ++i)
      if (directory_[i] == index && ((i >> (depth_ - depth)) & 1) != 0)
        directory_[i] = other;
    auto old = std::exchange(parts_[index].table, Table{});
    parts_[index].table.reserve(old.size() / 2);
    parts_[other].table.reserve(old.size() / 2);
    for (auto i = old.begin(); i != old.end(); ++i) {
      auto& to = part_of(key_of(*i));
      to.insert(std::move(*i));
    }
  }

  void double_directory() {
    std::vector<uint32_t> larger;
    larger.reserve(directory_.size() * 2);
    for (auto index : directory_)
      larger.insert(larger.end(), 2, index);
    directory_ = std::move(larger);
    ++depth_;
  }

  static constexpr unsigned max_depth = 20;

  std::vector<part> parts_ = std::vector<part>(1);
  std::vector<uint32_t> directory_ = std::vector<uint32_t>(1); // by the hash's upper bits
  unsigned depth_ = 0;
  size_t size_ = 0;
};

} // namespace scratchpage
