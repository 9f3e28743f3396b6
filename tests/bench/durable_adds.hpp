#pragma once

#include <cstddef>
#include <cstdint>

namespace scratchpage::bench {

/// Figures of a disk, a store, and a page on both: numbers per second, or
/// microseconds.
struct durable_figures {
  double sqlite_256 = 0; ///< bare SQLite, rows of the same size, 256 a commit
  double sqlite_64 = 0;  ///< the same, 64 a commit
  double adds_1024 = 0;  ///< 64 writers with 16 adds in flight each
  double adds_64 = 0;    ///< 64 writers with one add in flight each
  double sync_us = 0;    ///< median of an fdatasync after appending 4 KiB
  double sync_p99_us = 0;
  double lone_p50_us = 0; ///< one writer, one add at a time
  double lone_p99_us = 0;
  double query_idle_p50_us = 0; ///< a query while nothing is written
  double query_busy_p50_us = 0; ///< the same while 64 writers add
};

/// Measures all of them in one run, in a temporary folder.
durable_figures durable_adds(size_t adds);

/// Seconds until a page with that many live observations answers after a start.
double recovery_seconds(size_t observations);

} // namespace scratchpage::bench
