#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/actors/page/deadline_timer.hpp"
#include "scratchpage/actors/page/observation_ids.hpp"
#include "scratchpage/actors/page/promotion_queue.hpp"
#include "scratchpage/actors/page/protection.hpp"

namespace scratchpage {

/// What a page remembers beyond its store while its agent is at rest.
struct page_keepsake {
  uint64_t epoch = 0;
  uint64_t sequence = 0; ///< of the last change
  uint64_t log_begin = 0;
  uint64_t log_oldest = 0;
  observation_ids ids;
  protection::memory guarded;
  std::string eviction;     ///< an `eviction_order`, packed
  std::string closed_turns; ///< a `turn_ledger`, packed
  std::string cursors;      ///< `ranked_cursors`, packed
  std::string archived;     ///< times, statuses and ids in the archive in memory, packed
  /// Their observations are null if they are the current ones of the page.
  std::vector<promotion_queue::remembered> put_back;
  deadline_timer::memory timer;
  std::vector<std::string> subscribers; ///< the names of the agent's own ones
  bool has_cortex = false;              ///< whether a Frontal Cortex takes candidates

  /// The memory, about, that it takes.
  uint64_t bytes() const {
    return sizeof(*this) + guarded.bytes() + eviction.size() + closed_turns.size() + cursors.size()
           + archived.size() + put_back.size() * sizeof(promotion_queue::remembered);
  }
};

} // namespace scratchpage
