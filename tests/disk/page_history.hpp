#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/tests/support/faulty_disk.hpp"

namespace scratchpage::test {

/// The kind of faults that a history has.
enum class trouble : uint8_t { crashes, full_disks, errors, everything };

struct history_setup {
  uint64_t seed = 0;
  trouble with = trouble::everything;
  disk_traits disk;
  bool syncs = true; ///< false: the store does not sync, and the test must notice
};

/// The result of a history.
struct history_report {
  std::string failure; ///< the first violation; "" if there is none
  uint64_t processes = 0;
  uint64_t commits = 0;      ///< acknowledged calls
  uint64_t refusals = 0;     ///< failed calls
  uint64_t checks = 0;       ///< comparisons with the model
  uint64_t doubts = 0;       ///< processes that ended with calls in doubt
  uint64_t doubts_there = 0; ///< those of `doubts` in which one of the calls had happened
  disk_figures disk;

  bool operator==(const history_report&) const = default;
};

/// Runs several processes, one after another, on one faulty disk. Each opens the
/// store, claims two agents, recovers them and continues until a crash
/// or its end. The store's content is compared with the model whenever it was
/// opened, and sometimes in between. A call may fail only after a fault of the disk.
history_report run_history(const history_setup& setup);

} // namespace scratchpage::test
