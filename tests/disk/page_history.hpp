#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/tests/support/faulty_disk.hpp"

namespace scratchpage::test {

/// What befalls the disk in a history.
enum class trouble : uint8_t { crashes, full_disks, errors, everything };

struct history_setup {
  uint64_t seed = 0;
  trouble with = trouble::everything;
  disk_traits disk;
  bool syncs = true; ///< false: the store does not, and must be found out
};

/// What a history came to.
struct history_report {
  std::string failure; ///< what was wrong, first; "": nothing
  uint64_t processes = 0;
  uint64_t commits = 0;      ///< acknowledged
  uint64_t refusals = 0;     ///< calls that failed
  uint64_t checks = 0;       ///< of everything in the store
  uint64_t doubts = 0;       ///< processes that ended with calls in doubt
  uint64_t doubts_there = 0; ///< of these, those of which one had happened
  disk_figures disk;

  bool operator==(const history_report&) const = default;
};

/// Several processes, one after the other, on one faulty disk: each opens the
/// store, claims two agents, recovers them and goes on from there, until a crash
/// or its end. What the store holds is compared with the model whenever it was
/// opened, and now and then between. Nothing may fail for which the disk has
/// given no reason.
history_report run_history(const history_setup& setup);

} // namespace scratchpage::test
