#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <sqlite3.h>

namespace scratchpage::test {

/// The five levels at which SQLite locks a database file, for the connections
/// of one process. Who holds a lock is told by an address.
class level_locks {
public:
  /// Raises the holder's level (SQLITE_LOCK_…). SQLITE_OK or SQLITE_BUSY.
  int raise(const void* holder, int level);
  /// Lowers it to SQLITE_LOCK_SHARED or SQLITE_LOCK_NONE.
  void lower(const void* holder, int level);
  /// Whether anybody is about to write.
  bool is_reserved() const;

private:
  int highest_of_others(const void* holder) const;

  std::map<const void*, int> levels_; // of the holders that have any
};

/// What the connections of one process share beside a database in WAL mode: an
/// index of the log and locks. It is memory and goes with the process.
class shared_memory {
public:
  /// The region, of the same size each time; null if there is none and it is
  /// not to be made.
  void* map(size_t region, size_t size, bool make);
  /// What xShmLock is asked. SQLITE_OK or SQLITE_BUSY.
  int lock(const void* holder, int first, int count, int flags);
  /// Lets go of everything.
  void release(const void* holder);

private:
  struct slot {
    const void* exclusive = nullptr;
    std::set<const void*> shared;
  };

  static void unlock(slot& of, const void* holder);
  static bool is_free(const slot& x, const void* holder, bool exclusive);

  std::vector<std::unique_ptr<char[]>> regions_;
  std::array<slot, SQLITE_SHM_NLOCK> slots_;
};

} // namespace scratchpage::test
