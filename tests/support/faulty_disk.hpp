#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "scratchpage/tests/support/cached_directory.hpp"
#include "scratchpage/tests/support/cached_file.hpp"
#include "scratchpage/tests/support/chance.hpp"
#include "scratchpage/tests/support/file_locks.hpp"

namespace scratchpage::test {

class faulty_vfs;

/// What is going to go wrong, once each. All count from the moment they are
/// planned: 1 is the next, 0 never. What makes, removes or resizes a file counts
/// as a write.
struct disk_faults {
  uint64_t cut_power_at = 0; ///< writes and syncs
  uint64_t kill_at = 0;      ///< writes and syncs; the process dies, the machine does not
  uint64_t full_at = 0;      ///< writes; from there on none works that needs room
  uint64_t full_for = 0;     ///< writes; 0: until it is healed
  uint64_t write_error_at = 0;
  uint64_t sync_error_at = 0;
  uint64_t read_error_at = 0;
};

/// What has happened on a disk so far.
struct disk_figures {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t syncs = 0;
  uint64_t power_cuts = 0;
  uint64_t changes_at_stake = 0; ///< of files, not synced when the power was cut
  uint64_t kills = 0;
  uint64_t refused_for_room = 0; ///< writes
  uint64_t write_errors = 0;
  uint64_t sync_errors = 0;
  uint64_t read_errors = 0;

  bool operator==(const disk_figures&) const = default;
};

/// A file with what those share who have it open.
struct disk_file {
  explicit disk_file(disk_traits traits)
    : bytes{traits} {}

  cached_file bytes;
  level_locks locks;
  std::weak_ptr<shared_memory> index; ///< of its log
};

/// A disk in memory that keeps what POSIX promises, and nothing more, under an
/// SQLite VFS of its own. One process at a time uses it, with any number of
/// connections and threads.
///
/// - Files are as in cached_file.hpp, their names as in cached_directory.hpp.
///   The directory is synced when SQLite's own VFS for Unix does so: with the
///   first sync of a journal or log that was just made, and when a removal asks.
/// - A write that fails may have been done in part, a crash's last one too.
/// - Nothing is claimed of the device but what the traits say: no atomic and no
///   sequential writes, sectors of 512 bytes.
/// - After a crash whatever the process still does fails, until `restart`; what
///   it has open stays useless then. Locks and shared memory go with it.
///
/// Not modelled: bytes that rot while nobody writes, disks that claim to have
/// synced and have not, several directories, two processes at once.
///
/// The clock of the VFS stands still, waiting takes no time, and SQLite draws its
/// random numbers from the seed, in the whole test program: the same calls have
/// the same results.
class faulty_disk {
public:
  explicit faulty_disk(uint64_t seed, disk_traits traits = {});
  ~faulty_disk();
  faulty_disk(const faulty_disk&) = delete;
  faulty_disk& operator=(const faulty_disk&) = delete;

  /// The name under which SQLite knows it.
  const std::string& vfs() const { return vfs_name_; }

  /// As system_cache.hpp has it, for what a store is opened with. A sync, which may
  /// fail; throws std::runtime_error.
  void see(const std::string& name);

  // -- what goes wrong --------------------------------------------------------------------

  /// In place of what was planned before; a full disk has room again.
  void plan(const disk_faults& faults);
  /// Nothing goes wrong any more.
  void heal() { plan({}); }
  /// Machine and process stop now.
  void cut_power();
  /// The process ends now; what it wrote is in the machine's cache still.
  void kill();
  /// Whether either came.
  bool is_dead() const;
  /// The next process begins, on what is left; it ends one that is not dead.
  /// Nothing is planned for it.
  void restart();

  // -- what is there ----------------------------------------------------------------------

  disk_figures figures() const;
  /// A file as processes see it; "" if there is none.
  std::string read(const std::string& name) const;

private:
  friend class open_file;
  friend class faulty_vfs;

  /// `shrink` is a write that needs no room.
  enum class operation { read, write, shrink, sync };
  enum class fate { works, fails, finds_no_room, crashes };

  fate next(operation x);
  fate next_write(bool needs_room);
  bool is_crash_due();
  void crash(bool with_power);

  std::string vfs_name_;
  disk_traits traits_;
  mutable std::mutex mutex_;
  chance chance_;
  cached_directory<disk_file> directory_;
  disk_faults faults_; // what is left of each count
  disk_figures figures_;
  bool is_full_ = false;
  bool is_dead_ = false;
  bool has_power_ = true;
  uint64_t process_ = 1; // counts restarts
  std::unique_ptr<faulty_vfs> registered_;
};

} // namespace scratchpage::test
