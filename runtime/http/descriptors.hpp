#pragma once

#include <cstdint>

/// File descriptors, which a process has only so many of (RLIMIT_NOFILE, `ulimit -n`).

namespace scratchpage::http {

/// Raises this process's limit as far as it may, and says what it is then.
uint64_t raise_descriptor_limit();

/// How many there may be now.
uint64_t descriptor_limit();

/// How many of so many no connection gets: the database, agents and accepting need some.
uint64_t reserved_descriptors(uint64_t limit);

/// Whether only those are left. The system gives out the lowest that is free, so one that lies
/// among the last says that all others are in use.
bool is_in_reserve(int descriptor);

/// As above, of the one that would be given out next.
bool are_descriptors_scarce();

} // namespace scratchpage::http
