#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Asks the CONSCIOUSNESS about what comes to a goal that is there already (contract 8): mandates
/// match the tags and the context of a goal, and both grow with what joins it.
class goal_judge {
public:
  using heard = std::function<void(const caf::expected<verdict>&)>;

  goal_judge(
    frontal_cortex_actor::pointer self, consciousness_actor consciousness, timespan patience)
    : self_{self},
      consciousness_{std::move(consciousness)},
      patience_{patience} {}

  /// Whether the goal `now` may become `next`, to which `tags` come that it has not had. `then` is
  /// called once, and at once if nothing comes by which a mandate decides. That a person is to be
  /// asked is the verdict only if it is on account of what comes: what was there before has been
  /// judged, and may be confirmed.
  void judge(const caller& by, const goal& now, const goal& next,
    const std::vector<std::string>& tags, const heard& then) const;

private:
  void ask_without(const caller& by, const goal& now, const verdict& said, const heard& then) const;

  frontal_cortex_actor::pointer self_;
  consciousness_actor consciousness_;
  timespan patience_;
};

} // namespace scratchpage
