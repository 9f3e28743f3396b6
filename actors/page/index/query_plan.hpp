#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/slot_set.hpp"

namespace scratchpage {

/// What a filter means in terms of posting sets. The sets belong to the index.
struct query_plan {
  /// Rows in any of the sets.
  struct clause {
    std::vector<const slot_set*> any_of;
    uint64_t size = 0; ///< at most so many rows

    void add(const slot_set* set) {
      if (set == nullptr || set->empty())
        return;
      any_of.push_back(set);
      size += set->size();
    }
  };

  std::vector<clause> all_of; ///< at least one
  std::vector<const slot_set*> none_of;

  // What the sets do not tell exactly is checked row by row.
  std::optional<double> min_confidence;
  std::vector<std::pair<std::string, std::string>> context; ///< path and spelling
  bool check_deadlines = false;

  bool has_checks() const { return min_confidence || !context.empty() || check_deadlines; }
};

} // namespace scratchpage
