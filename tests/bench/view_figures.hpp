#pragma once

#include <cstddef>

namespace scratchpage::bench {

struct view_figures {
  double render_us = 0; ///< median time to render a scratchbook's view
  double count_us = 0;  ///< a lower bound: counting the text's tokens once
};

/// Renders the view of `items` items with bodies and tags, within the default limits.
view_figures render_views(size_t items);

} // namespace scratchpage::bench
