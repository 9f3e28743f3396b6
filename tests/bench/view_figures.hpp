#pragma once

#include <cstddef>

namespace scratchpage::bench {

struct view_figures {
  double render_us = 0; ///< of the view of a scratchbook, median
  double count_us = 0;  ///< to count the tokens of its text once, which it cannot do without
};

/// The view of so many items, with bodies and tags, within the default limits.
view_figures render_views(size_t items);

} // namespace scratchpage::bench
