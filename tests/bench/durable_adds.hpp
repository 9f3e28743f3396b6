#pragma once

#include <cstddef>
#include <cstdint>

namespace scratchpage::bench {

/// What a disk and a store cost, and what a page on them does; per second, or
/// microseconds.
struct durable_figures {
  double sqlite_256 = 0;  ///< bare SQLite, rows of the same size, 256 a commit
  double sqlite_64 = 0;   ///< the same, 64 a commit
  double adds_1024 = 0;   ///< 64 writers with 16 adds in flight each
  double adds_64 = 0;     ///< 64 writers with one
  double sync_us = 0;     ///< one fdatasync of a page appended, median
  double lone_p50_us = 0; ///< one writer, one add at a time
  double lone_p99_us = 0;
  double query_idle_p50_us = 0; ///< a query while nothing is written
  double query_busy_p50_us = 0; ///< the same while 64 writers add
};

/// In one run, in a folder of its own below `where`.
durable_figures durable_adds(size_t adds);

/// How long it takes until a page with so many live observations answers again.
double recovery_seconds(size_t observations);

} // namespace scratchpage::bench
