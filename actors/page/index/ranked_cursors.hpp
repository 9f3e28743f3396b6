#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

namespace scratchpage {

/// Where a query goes on. Newest-first paging needs only the last number, for
/// numbers never change their order. Relevance shifts whenever somebody writes,
/// so the order of the first page is kept, for the last few such queries.
class ranked_cursors {
public:
  struct position {
    bool ranked = false;
    uint64_t before = 0; ///< newest first: only numbers below; 0: from the newest
    uint64_t order = 0;  ///< ranked: which kept order
    size_t offset = 0;   ///< ranked: where in it
  };

  explicit ranked_cursors(size_t capacity)
    : capacity_{capacity} {}

  /// Keeps an order and gives its name; forgets the one unused for longest.
  uint64_t keep(std::vector<uint64_t> numbers);

  /// The kept order, or null if it was forgotten.
  const std::vector<uint64_t>* find(uint64_t order);

  /// As callers see it: opaque, short, letters and digits.
  static std::string to_text(const position& x);
  static caf::expected<position> from_text(std::string_view cursor);

  /// The same of an order by priority, which is another query's; it is always ranked.
  static std::string to_priority_text(const position& x);
  static caf::expected<position> from_priority_text(std::string_view cursor);

private:
  struct entry {
    uint64_t id;
    std::vector<uint64_t> numbers;
  };

  size_t capacity_;
  uint64_t last_id_ = 0;
  std::list<entry> entries_; // last used first
};

} // namespace scratchpage
