#pragma once

#include <cstddef>

namespace scratchpage::bench {

struct turn_run_figures {
  double per_second = 0;    ///< turns a second, with several threads that begin them
  double one_by_one = 0;    ///< turns a second of one thread that waits for each
  double processor_us = 0;  ///< processor time of the whole process for one turn
  double trace_entries = 0; ///< for one turn
};

/// Runs turns of an agent with all its daemons. Each turn plans one call of a tool that answers at
/// once. The trace is stored in a database; nothing else is stored. Throws std::runtime_error if a
/// turn fails.
turn_run_figures run_turns(size_t turns);

struct turn_rate {
  double per_second = 0;
  double trace_entries = 0; ///< for one turn
};

/// Runs turns of the same agent, as many at once as told, after a few that are not measured. The
/// time ends when all turns have ended and their trace is stored. Throws as above.
turn_rate run_turns(size_t turns, size_t at_once);

} // namespace scratchpage::bench
