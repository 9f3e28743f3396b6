#pragma once

#include <cstddef>

namespace scratchpage::bench {

/// Adds a second that one subscriber receives, from the first sent to the last received. Beside
/// other subscribers: the share of that rate that is left.
struct idle_figures {
  double adds_per_s = 0;      ///< without other subscribers
  double beside_equal = 0;    ///< beside a thousand with the same filter, which matches nothing
  double beside_distinct = 0; ///< beside a thousand, each with a filter of its own
  double beside_stalled = 0;  ///< beside one that matches everything and never acknowledges
  double bytes_equal = 0;     ///< of heap that a page holds for each of the thousand
  double bytes_distinct = 0;
};

idle_figures idle_subscribers(size_t messages);

} // namespace scratchpage::bench
