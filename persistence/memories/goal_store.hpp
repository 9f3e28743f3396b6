#pragma once

#include <caf/error.hpp>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// Where the Frontal Cortex keeps its goals. It writes first and acts after: a
/// goal that is refused here was never made or changed.
class goal_store {
public:
  virtual ~goal_store() = default;

  /// Keeps this revision in place of earlier ones.
  virtual caf::error put(const goal& x) = 0;
};

/// Keeps nothing beyond the Frontal Cortex's own memory.
class null_goal_store : public goal_store {
public:
  caf::error put(const goal&) override { return {}; }
};

} // namespace scratchpage
