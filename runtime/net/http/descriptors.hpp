#pragma once

#include <cstdint>

/// File descriptors, which a process has only so many of (RLIMIT_NOFILE, `ulimit -n`).

namespace scratchpage::http {

/// Raises this process's limit as far as it may, and says what it is then.
uint64_t raise_descriptor_limit();

/// How many there may be now.
uint64_t descriptor_limit();

/// How many of so many neither connections nor agents get: the database and accepting need some.
uint64_t reserved_descriptors(uint64_t limit);

/// Who gets how many of them.
struct descriptor_plan {
  /// `of_agent`: how many each agent takes; `most_agents`: for whom there are places.
  static descriptor_plan of(uint64_t limit, uint64_t of_agent, uint64_t most_agents);

  uint64_t agents;      ///< that may be open at a time; a third of what is not in reserve at most
  uint64_t connections; ///< that may be open at a time
};

/// Whether only the last quarter of the reserve is left. The system gives out the lowest that is
/// free, so one that lies among the last says that all others are in use.
bool is_in_reserve(int descriptor);

/// As above, of the one that would be given out next.
bool are_descriptors_scarce();

} // namespace scratchpage::http
