#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "scratchpage/actors/page/block_table.hpp"

namespace scratchpage {

/// Who has to leave when the page is full: of the lowest weight the one that was
/// used least recently, unless it is protected. All operations take constant
/// time, `victim` one step per distinct weight; 12 bytes an observation.
class eviction_order {
public:
  /// A new number counts as used just now.
  void insert(uint64_t number, int64_t weight);

  /// Somebody used it. Unknown numbers are ignored, here and below.
  void touch(uint64_t number);
  void erase(uint64_t number);

  /// A protected number is never the victim. When its protection ends it counts
  /// as used just then.
  void protect(uint64_t number, bool on);

  /// The first that is not spared; nothing if all are, or are protected. Looks at
  /// those that are spared one by one: let them be few.
  std::optional<uint64_t> victim(
    const std::function<bool(uint64_t)>& is_spared = [](uint64_t) { return false; }) const;

  size_t size() const { return nodes_.size(); }

private:
  /// Neighbours are kept as their low 32 bits; an end points at itself.
  struct node {
    uint32_t older = 0;
    uint32_t newer = 0;
    uint16_t lane = 0;
    bool is_protected = false;
  };

  /// The unprotected numbers of one weight, linked by use.
  struct lane {
    uint64_t oldest = 0;
    uint64_t newest = 0;
    size_t size = 0;
  };

  void link(uint64_t number, node& x);
  void unlink(uint64_t number, const node& x);

  block_table<node> nodes_;
  std::vector<lane> lanes_;
  std::map<int64_t, uint16_t> lane_of_; // by weight
};

} // namespace scratchpage
