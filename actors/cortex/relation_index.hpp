#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/actors/policies/promotion_rules.hpp"

namespace scratchpage {

/// Finds the entry (a goal, or a group of waiting candidates) that a candidate belongs to
/// (contract 8), by its marks and without a look at every entry. Entries have numbers, and the
/// oldest has the lowest.
class relation_index {
public:
  /// Two entries are related if they have at least `shared_tags` tags in common.
  explicit relation_index(size_t shared_tags)
    : shared_tags_{shared_tags} {}

  /// Adds an entry with these marks, or replaces the marks of an existing one.
  void put(uint64_t number, relation_marks x);
  void erase(uint64_t number);

  /// The oldest entry that has one of the names or groups of `x`, or enough tags in common with it.
  /// If both have a chosen name (`relation_marks::is_named`), only the names count.
  std::optional<uint64_t> oldest_related(const relation_marks& x) const;

  /// How many steps the searches by tags took so far, for tests of how that number grows.
  uint64_t looked_at() const { return looked_at_; }

private:
  using numbers = std::set<uint64_t>;
  using table = std::map<std::string, numbers, std::less<>>;
  struct part {
    table groups;
    table tags;
  };

  static void put(table& to, const std::vector<std::string>& keys, uint64_t number);
  static void erase(table& from, const std::vector<std::string>& keys, uint64_t number);
  static std::optional<uint64_t> first_of(const table& in, const std::vector<std::string>& keys);
  std::optional<uint64_t> first_with_tags(
    const part& in, const std::vector<std::string>& tags) const;

  size_t shared_tags_;
  std::map<uint64_t, relation_marks> all_;
  table names_;
  part named_;   ///< entries with a chosen name
  part unnamed_; ///< the others
  mutable uint64_t looked_at_ = 0;
};

} // namespace scratchpage
