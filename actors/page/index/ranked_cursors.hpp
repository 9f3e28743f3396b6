#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

namespace scratchpage {

/// The beginning of an order, which is kept for paging.
struct kept_order {
  std::vector<uint64_t> numbers;
  bool is_complete = true;     ///< whether the order has no more numbers
  uint64_t below = UINT64_MAX; ///< only numbers below this one may be appended

  /// Appends the numbers of a later and longer form of the order that are not there yet.
  void append(const std::vector<uint64_t>& longer);
};

/// Cursors, at which a query continues. A query that is sorted newest first needs only the last
/// number, because the order of numbers never changes. The order by relevance changes with each
/// addition, so the order is kept as far as it was read, for the last `capacity` such queries.
class ranked_cursors {
public:
  struct position {
    bool ranked = false;
    uint64_t before = 0; ///< not ranked: only numbers below this one; 0: from the newest
    uint64_t order = 0;  ///< ranked: the id of the kept order
    size_t offset = 0;   ///< ranked: the position in the order
  };

  explicit ranked_cursors(size_t capacity)
    : capacity_{capacity} {}

  /// Keeps an order and returns its id. Drops the order that was used least recently if there are
  /// too many.
  uint64_t keep(kept_order order);

  /// All kept orders and the last id, as `restore` takes them over into an object without orders.
  std::string packed() const;
  void restore(std::string_view packed);

  /// The kept order, or null if it was dropped.
  kept_order* find(uint64_t order);

  /// The cursor as a text for callers: opaque, short, of letters and digits. Error of `from_text`:
  /// `invalid_request` about `cursor`.
  static std::string to_text(const position& x);
  static caf::expected<position> from_text(std::string_view cursor);

  /// The same for an order by priority, which belongs to another query. It is always ranked.
  static std::string to_priority_text(const position& x);
  static caf::expected<position> from_priority_text(std::string_view cursor);

private:
  struct entry {
    uint64_t id;
    kept_order order;
  };

  size_t capacity_;
  uint64_t last_id_ = 0;
  std::list<entry> entries_; // last used first
};

} // namespace scratchpage
