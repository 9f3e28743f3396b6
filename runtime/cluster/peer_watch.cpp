#include "scratchpage/runtime/cluster/peer_watch.hpp"

#include <utility>

#include "scratchpage/runtime/cluster/node_lease.hpp"

namespace scratchpage::cluster {

/// The beat was there when the answer came that had it first, and when the last look was sent. So
/// the time between these two is the least that is certain.
void peer_watch::note(std::span<const seen_beat> all, timespan sent, timespan answered) {
  auto before = std::exchange(known_, {});
  overdue_.clear();
  for (const auto& x : all) {
    auto known = before.find(x.who);
    auto goes_on = known != before.end() && known->second.beat == x.beat
                   && sent - known->second.looked <= x.lease / 4;
    watched now{x.beat, goes_on ? known->second.since : answered, answered};
    if (goes_on && is_over(x, now, sent))
      overdue_.push_back(x);
    known_.emplace(x.who, now);
  }
}

bool peer_watch::is_over(const seen_beat& x, const watched& known, timespan sent) {
  auto tolerance = std::chrono::duration_cast<timespan>(x.lease * pace_tolerance);
  return sent - known.since >= x.lease + tolerance;
}

} // namespace scratchpage::cluster
