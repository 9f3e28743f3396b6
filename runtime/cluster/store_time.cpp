#include "scratchpage/runtime/cluster/store_time.hpp"

#include <algorithm>

namespace scratchpage::cluster {

/// How far the correction has come at that local time.
timespan store_time::offset_at(timespan local) const {
  auto most = std::chrono::duration_cast<timespan>((local - since_) * max_slew);
  return offset_ - std::clamp(error_, -most, most);
}

/// The store's clock minus the local one lies between the two bounds. An offset between them is
/// left as it is: a slow answer tells nothing.
void store_time::note(timespan sent, timestamp store, timespan answered) {
  auto least = store.time_since_epoch() - answered;
  auto greatest = store.time_since_epoch() - sent;
  if (!is_known_) {
    is_known_ = true;
    offset_ = least + (greatest - least) / 2;
    since_ = answered;
    return;
  }
  offset_ = offset_at(answered);
  since_ = answered;
  error_ = offset_ < least      ? offset_ - least
           : offset_ > greatest ? offset_ - greatest
                                : timespan::zero();
}

timestamp store_time::at(timespan local) {
  auto now = timestamp{local + offset_at(std::max(local, since_))};
  latest_ = std::max(latest_, now);
  return latest_;
}

} // namespace scratchpage::cluster
