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

/// Planned faults, each of which happens once. A number counts operations from the moment of
/// planning: 1 is the next operation, 0 means never. Creating, removing and resizing a file
/// count as writes.
struct disk_faults {
  uint64_t cut_power_at = 0; ///< counts writes and syncs
  uint64_t kill_at = 0;      ///< counts writes and syncs; only the process ends
  uint64_t full_at = 0;      ///< counts writes; from then on no write that needs space works
  uint64_t full_for = 0;     ///< number of writes; 0: until `heal`
  uint64_t write_error_at = 0;
  uint64_t sync_error_at = 0;
  uint64_t read_error_at = 0;
};

/// Counts of what has happened on a disk.
struct disk_figures {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t syncs = 0;
  uint64_t power_cuts = 0;
  uint64_t changes_at_stake = 0; ///< changes of files not synced at a power cut
  uint64_t kills = 0;
  uint64_t refused_for_room = 0; ///< writes refused because the disk was full
  uint64_t write_errors = 0;
  uint64_t sync_errors = 0;
  uint64_t read_errors = 0;

  bool operator==(const disk_figures&) const = default;
};

/// A file and the state that all who have it open share.
struct disk_file {
  explicit disk_file(disk_traits traits)
    : bytes{traits} {}

  cached_file bytes;
  level_locks locks;
  std::weak_ptr<shared_memory> index; ///< of its write-ahead log
};

/// A disk in memory, with an SQLite VFS of its own. It guarantees what POSIX guarantees and
/// nothing more. One process at a time uses it, with any number of connections and threads.
///
/// - Files behave as in cached_file.hpp, their names as in cached_directory.hpp.
///   The directory is synced when SQLite's own VFS for Unix does so: with the
///   first sync of a new journal or log, and when a removal requests it.
/// - A write that fails, and the last one before a crash, may have been done in part.
/// - The device guarantees only what the traits say: no atomic and no
///   sequential writes, sectors of 512 bytes.
/// - After a crash every operation of the process fails until `restart`. Files that it
///   has open stay unusable after that. Its locks and shared memory are gone.
///
/// Not modelled: bytes that change by themselves, disks that report a sync they have not done,
/// several directories, two processes at once.
///
/// The VFS's clock stands still, waiting takes no time, and SQLite in the whole test program
/// draws its random numbers from the seed: the same calls have the same results.
class faulty_disk {
public:
  explicit faulty_disk(uint64_t seed, disk_traits traits = {});
  ~faulty_disk();
  faulty_disk(const faulty_disk&) = delete;
  faulty_disk& operator=(const faulty_disk&) = delete;

  /// The name of the VFS, for SQLite.
  const std::string& vfs() const { return vfs_name_; }

  /// The `drop_page_cache` of a store's SQLite options: syncs the file. Throws std::runtime_error
  /// on failure.
  void see(const std::string& name);

  // -- what goes wrong --------------------------------------------------------------------

  /// Replaces the faults planned before; a full disk has space again.
  void plan(const disk_faults& faults);
  /// Removes all planned faults.
  void heal() { plan({}); }
  /// Stops the machine and the process now.
  void cut_power();
  /// Ends the process now; what it wrote stays in the machine's cache.
  void kill();
  /// Whether the power was cut or the process killed since the last restart.
  bool is_dead() const;
  /// Begins the next process on what is left, without planned faults. A process that still runs
  /// is ended.
  void restart();

  // -- what is there ----------------------------------------------------------------------

  disk_figures figures() const;
  /// A file's bytes as processes see them; "" if there is no such file.
  std::string read(const std::string& name) const;

private:
  friend class open_file;
  friend class faulty_vfs;

  /// `shrink` is a write that needs no space.
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
  disk_faults faults_; // operations left until each fault
  disk_figures figures_;
  bool is_full_ = false;
  bool is_dead_ = false;
  bool has_power_ = true;
  uint64_t process_ = 1; // counts restarts
  std::unique_ptr<faulty_vfs> registered_;
};

} // namespace scratchpage::test
