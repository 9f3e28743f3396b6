#pragma once

#include <cstddef>

namespace scratchpage::bench {

/// How many adds a second one subscriber hears of, from the first sent to the last
/// heard; beside others to which none of it matters, as a share of that.
struct idle_figures {
  double adds_per_s = 0;      ///< with nobody beside it
  double beside_equal = 0;    ///< beside a thousand with one filter that fits nothing
  double beside_distinct = 0; ///< beside a thousand, each with a filter of its own
  double beside_stalled = 0;  ///< beside one that wants everything and never answers
  double bytes_equal = 0;     ///< of heap that a page holds for each of the thousand
  double bytes_distinct = 0;
};

idle_figures idle_subscribers(size_t messages);

} // namespace scratchpage::bench
