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

/// Finds what a candidate belongs to (contract 8) by its marks, without a look at all that there
/// is: goals, or candidates that wait. Each has a number, and the lowest is the oldest.
class relation_index {
public:
  /// So many tags in common make a relation.
  explicit relation_index(size_t shared_tags)
    : shared_tags_{shared_tags} {}

  /// Has these marks from now on.
  void put(uint64_t number, relation_marks x);
  void erase(uint64_t number);

  /// The oldest that has one of the names, else is of the same group or has enough tags in common;
  /// two that have names are related by these only.
  std::optional<uint64_t> oldest_related(const relation_marks& x) const;

  /// How many entries were looked at so far, for tests of how that grows.
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
  part named_;
  part unnamed_;
  mutable uint64_t looked_at_ = 0;
};

} // namespace scratchpage
