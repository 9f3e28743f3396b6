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
/// of one process. An address identifies the holder of a lock.
class level_locks {
public:
  /// Raises the holder's level (SQLITE_LOCK_…). Returns SQLITE_OK or SQLITE_BUSY.
  int raise(const void* holder, int level);
  /// Lowers the holder's level to SQLITE_LOCK_SHARED or SQLITE_LOCK_NONE.
  void lower(const void* holder, int level);
  /// Whether a holder has the level SQLITE_LOCK_RESERVED or more, and so is about to write.
  bool is_reserved() const;

private:
  int highest_of_others(const void* holder) const;

  std::map<const void*, int> levels_; // by holder
};

/// The memory that the connections of one process share for a database in WAL mode: the
/// index of the log, and locks. It is lost when the process ends.
class shared_memory {
public:
  /// The region with that number; `size` is the same at each call. Creates a missing region if
  /// `make` is true, otherwise returns null.
  void* map(size_t region, size_t size, bool make);
  /// Implements xShmLock. Returns SQLITE_OK or SQLITE_BUSY.
  int lock(const void* holder, int first, int count, int flags);
  /// Releases all locks of the holder.
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
