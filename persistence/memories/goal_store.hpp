#pragma once

#include <cstdint>
#include <string>

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

  /// Removes a goal. The next `put` writes that, in the same commit, or `flush` does.
  virtual void drop(const std::string&) {}

  /// Writes what was dropped. If that fails, the next `put` writes it.
  virtual caf::error flush() { return {}; }

  /// The highest number in the ids `goal_N` of goals that were dropped.
  virtual uint64_t last_dropped() const { return 0; }

  /// Whether the store may have something else than was put: it has refused a goal, but may have
  /// written it before it failed. The next `put` corrects that.
  virtual bool is_in_doubt() const { return false; }
};

/// Stores nothing: goals are only in the memory of the Frontal Cortex.
class null_goal_store : public goal_store {
public:
  caf::error put(const goal&) override { return {}; }
};

} // namespace scratchpage
