#pragma once

#include <cstddef>

namespace scratchpage::bench {

/// The work of a page when all its observations expire, in two ways: each
/// at its own deadline, and all overdue at once.
struct page_expiry_figures {
  double max_pause_ms = 0;         ///< longest uninterrupted work, one by one
  double max_pause_overdue_ms = 0; ///< the same, all at once
  double per_second = 0;           ///< expiries, one by one
};

/// Pauses are processor time of the page's thread, so that other load on the machine does
/// not count.
page_expiry_figures page_expiry(size_t observations);

} // namespace scratchpage::bench
