#pragma once

#include <cstddef>

namespace scratchpage::bench {

/// Figures of commits to a PostgreSQL server of the bench's own, which writes them to the disk.
struct postgres_figures {
  double round_trips = 0; ///< of a commit
  double commit_ms = 0;   ///< median of a commit for 64 agents, with one event of each
  double lone_ms = 0;     ///< the same for one agent
  double rows_ms = 0;     ///< 64 bare rows of the same size in one statement
};

/// Measures `commits` of each kind, in turns. Throws std::runtime_error if no PostgreSQL is
/// installed.
postgres_figures postgres_adds(size_t commits);

} // namespace scratchpage::bench
