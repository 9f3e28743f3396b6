#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::cluster {

/// A node and one of its starts.
struct incarnation {
  std::string node;
  uint64_t number = 0;

  auto operator<=>(const incarnation&) const = default; // NOLINT(modernize-use-nullptr)
};

/// What the store says about a node that is not down.
struct seen_beat {
  incarnation who;
  uint64_t beat = 0;
  timespan lease{}; ///< that this node keeps
};

/// Watches the beats of other nodes, and finds those whose leases are over. A lease is over when
/// its beat was the same for the whole lease and the tolerance of the clocks' pace, by this
/// machine's clock, and this node has looked all the while: if it could not reach the store for
/// more than a quarter of the lease, the others may have been kept from it, too, and the wait
/// begins anew. So a store that is away takes no page from anybody.
class peer_watch {
public:
  /// A look at the store was asked for at `sent` and answered at `answered`, with all nodes that
  /// are not down. Nodes that are missing are forgotten.
  void note(std::span<const seen_beat> all, timespan sent, timespan answered);

  /// The beats of the last look whose leases are over. Whoever declares such a node down does so
  /// only if the store has this beat still.
  const std::vector<seen_beat>& overdue() const { return overdue_; }

private:
  struct watched {
    uint64_t beat = 0;
    timespan since{};  ///< when an answer had this beat first, without a gap since
    timespan looked{}; ///< when the last look was answered
  };

  static bool is_over(const seen_beat& x, const watched& known, timespan sent);

  std::map<incarnation, watched> known_;
  std::vector<seen_beat> overdue_;
};

} // namespace scratchpage::cluster
