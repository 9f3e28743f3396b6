#pragma once

#include <cstddef>

namespace scratchpage::bench {

/// The work of a page when all its observations expire, in two ways: each
/// at its own deadline, and all overdue at once.
struct page_expiry_figures {
  double max_pause_ms = 0;         ///< longest uninterrupted work, one by one
  double max_pause_overdue_ms = 0; ///< the same, all at once
  double worst_ms = 0;             ///< longest work in any round of either way
  double per_second = 0;           ///< expiries, one by one; the median of the rounds
};

/// Pauses are processor time of the page's thread. All rounds have the same slices of work, and the
/// time of a slice is its median of five rounds: a guest's processor time includes the time for
/// which its host took the processor away, which hits another slice in each round.
page_expiry_figures page_expiry(size_t observations);

} // namespace scratchpage::bench
