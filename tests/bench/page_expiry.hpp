#pragma once

#include <cstddef>

namespace scratchpage::bench {

/// What a page does when everything on it ends, in two ways: each observation
/// at its own moment, and all of them overdue at once.
struct page_expiry_figures {
  double max_pause_ms = 0;         ///< longest the page was busy in one go, one by one
  double max_pause_overdue_ms = 0; ///< the same, all at once
  double per_second = 0;           ///< expiries, one by one
};

/// Pauses are processor time of the page's thread, so that what else the
/// machine does is not counted.
page_expiry_figures page_expiry(size_t observations);

} // namespace scratchpage::bench
