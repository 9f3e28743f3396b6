#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/block_table.hpp"

namespace scratchpage {

/// Who has to leave when the page is full: of the share that has to give, and there of the
/// lowest weight, the one that was used least recently, unless it is protected. All operations
/// take constant time, `victim` one step per share and per distinct weight of one; 12 bytes an
/// observation.
class eviction_order {
public:
  /// Whose an observation is: a small number, of which each is kept for good.
  using share = uint16_t;

  /// A new number counts as used just now.
  void insert(uint64_t number, int64_t weight, share of = 0);

  /// Somebody used it. Unknown numbers are ignored, here and below.
  void touch(uint64_t number);
  void erase(uint64_t number);

  /// A protected number is never the victim. When its protection ends it counts
  /// as used just then.
  void protect(uint64_t number, bool on);

  using spares = std::function<bool(uint64_t)>;
  using claim = std::function<double(share)>;

  /// The first that is not spared, of the share that claims the most room; nothing if all are
  /// spared or protected. Looks at those that are spared one by one: let them be few.
  std::optional<uint64_t> victim(
    const spares& is_spared = [](uint64_t) { return false; },
    const claim& claims = [](share) { return 0.0; }) const;

  /// The same of one share alone.
  std::optional<uint64_t> victim_of(share x, const spares& is_spared) const;

  size_t size() const { return nodes_.size(); }

private:
  /// Neighbours are kept as their low 32 bits; an end points at itself.
  struct node {
    uint32_t older = 0;
    uint32_t newer = 0;
    uint32_t lane : 31 = 0;
    uint32_t is_protected : 1 = 0;
  };

  /// The unprotected numbers of one weight in a share, linked by use.
  struct lane {
    share of = 0;
    uint64_t oldest = 0;
    uint64_t newest = 0;
    size_t size = 0;
  };

  void link(uint64_t number, node& x);
  void unlink(uint64_t number, const node& x);

  block_table<node> nodes_;
  std::vector<lane> lanes_;
  std::map<std::pair<share, int64_t>, uint32_t> lane_of_; // by share and weight
  std::vector<size_t> evictable_;                         // of each share
};

} // namespace scratchpage
