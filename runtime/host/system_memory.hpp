#pragma once

#include <cstdint>

namespace scratchpage {

/// What the system lets this process have, in bytes: the machine's memory, or less if its
/// control group (versions 1 and 2) says so. The largest number if nobody tells.
uint64_t memory_of_system();

/// What this process has now, in bytes; 0 if nobody tells.
uint64_t resident_memory();

} // namespace scratchpage
