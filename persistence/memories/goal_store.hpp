#pragma once

#include <caf/error.hpp>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// The place where the Frontal Cortex keeps its goals. It writes a goal before it acts on it: if
/// the store refuses the goal, nothing was made or changed.
class goal_store {
public:
  virtual ~goal_store() = default;

  /// Stores the goal and replaces its earlier revisions.
  virtual caf::error put(const goal& x) = 0;
};

/// Stores nothing: goals are only in the memory of the Frontal Cortex.
class null_goal_store : public goal_store {
public:
  caf::error put(const goal&) override { return {}; }
};

} // namespace scratchpage
