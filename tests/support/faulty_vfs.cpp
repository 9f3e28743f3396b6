#include "scratchpage/tests/support/faulty_vfs.hpp"

#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "scratchpage/tests/support/open_file.hpp"

namespace scratchpage::test {

namespace {

// -- files as SQLite calls them -------------------------------------------------------------

/// SQLite owns its memory and expects `base` at the beginning.
struct file_slot {
  sqlite3_file base;
  open_file* file;
};

open_file& file_of(sqlite3_file* x) {
  return *reinterpret_cast<file_slot*>(x)->file;
}

int close(sqlite3_file* x) {
  delete &file_of(x);
  return SQLITE_OK;
}

int read(sqlite3_file* x, void* to, int count, sqlite3_int64 offset) {
  return file_of(x).read(static_cast<char*>(to), count, offset);
}

int write(sqlite3_file* x, const void* from, int count, sqlite3_int64 offset) {
  return file_of(x).write({static_cast<const char*>(from), static_cast<size_t>(count)}, offset);
}

int truncate(sqlite3_file* x, sqlite3_int64 size) {
  return file_of(x).resize(size);
}

int sync(sqlite3_file* x, int) {
  return file_of(x).sync();
}

int size(sqlite3_file* x, sqlite3_int64* result) {
  int64_t found = 0;
  auto code = file_of(x).size(found);
  *result = found;
  return code;
}

int lock(sqlite3_file* x, int level) {
  return file_of(x).lock(level);
}

int unlock(sqlite3_file* x, int level) {
  return file_of(x).unlock(level);
}

int is_reserved(sqlite3_file* x, int* result) {
  return file_of(x).is_reserved(*result);
}

int control(sqlite3_file*, int, void*) {
  return SQLITE_NOTFOUND;
}

int sector_size(sqlite3_file*) {
  return static_cast<int>(cached_file::sector_size);
}

int characteristics(sqlite3_file* x) {
  return file_of(x).overwrites_safely() ? SQLITE_IOCAP_POWERSAFE_OVERWRITE : 0;
}

int map(sqlite3_file* x, int region, int size, int make, volatile void** result) {
  return file_of(x).map(region, size, make != 0, *result);
}

int lock_index(sqlite3_file* x, int first, int count, int flags) {
  return file_of(x).lock_index(first, count, flags);
}

void barrier(sqlite3_file*) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

int unmap(sqlite3_file* x, int) {
  file_of(x).unmap();
  return SQLITE_OK;
}

sqlite3_io_methods make_methods() {
  sqlite3_io_methods x{};
  x.iVersion = 2; // includes the calls that WAL needs
  x.xClose = close;
  x.xRead = read;
  x.xWrite = write;
  x.xTruncate = truncate;
  x.xSync = sync;
  x.xFileSize = size;
  x.xLock = lock;
  x.xUnlock = unlock;
  x.xCheckReservedLock = is_reserved;
  x.xFileControl = control;
  x.xSectorSize = sector_size;
  x.xDeviceCharacteristics = characteristics;
  x.xShmMap = map;
  x.xShmLock = lock_index;
  x.xShmBarrier = barrier;
  x.xShmUnmap = unmap;
  return x;
}

// -- the disk as SQLite calls it ------------------------------------------------------------

faulty_vfs& vfs_of(sqlite3_vfs* x) {
  return *static_cast<faulty_vfs*>(x->pAppData);
}

int open(sqlite3_vfs* x, const char* name, sqlite3_file* file, int flags, int* flags_then) {
  if (flags_then != nullptr)
    *flags_then = flags;
  return vfs_of(x).open(name, file, flags);
}

int remove(sqlite3_vfs* x, const char* name, int sync_directory) {
  return vfs_of(x).remove(name, sync_directory != 0);
}

int access(sqlite3_vfs* x, const char* name, int, int* result) {
  return vfs_of(x).exists(name, *result);
}

int full_name(sqlite3_vfs*, const char* name, int size, char* to) {
  return std::snprintf(to, static_cast<size_t>(size), "%s", name) < size ? SQLITE_OK
                                                                         : SQLITE_CANTOPEN;
}

int noise(sqlite3_vfs* x, int count, char* to) {
  return vfs_of(x).fill_with_noise(to, count);
}

int wait(sqlite3_vfs*, int microseconds) {
  return microseconds;
}

int now(sqlite3_vfs*, double* julian_day) {
  *julian_day = 2'460'984.5; // midnight before 2025-11-05
  return SQLITE_OK;
}

int last_error(sqlite3_vfs*, int, char*) {
  return 0;
}

} // namespace

faulty_vfs::faulty_vfs(faulty_disk& disk, uint64_t seed)
  : disk_{disk} {
  vfs_.iVersion = 1;
  vfs_.szOsFile = sizeof(file_slot);
  vfs_.mxPathname = 255;
  vfs_.zName = disk.vfs().c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = test::open;
  vfs_.xDelete = test::remove;
  vfs_.xAccess = access;
  vfs_.xFullPathname = full_name;
  vfs_.xRandomness = noise;
  vfs_.xSleep = wait;
  vfs_.xCurrentTime = now;
  vfs_.xGetLastError = last_error;
  if (sqlite3_vfs_register(&vfs_, 0) != SQLITE_OK)
    throw std::runtime_error{"SQLite takes no further VFS"};
  sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, static_cast<int>(seed % INT32_MAX) + 1, nullptr);
}

faulty_vfs::~faulty_vfs() {
  sqlite3_vfs_unregister(&vfs_);
}

int faulty_vfs::open(const char* name, sqlite3_file* file, int flags) {
  static const auto methods = make_methods();
  file->pMethods = nullptr; // a file with methods is closed by SQLite
  std::unique_lock lock{disk_.mutex_};
  if (disk_.is_dead_)
    return SQLITE_CANTOPEN;
  auto found =
    name == nullptr ? std::make_shared<disk_file>(disk_.traits_) : disk_.directory_.find(name);
  auto is_new = !found;
  if (is_new && (flags & SQLITE_OPEN_CREATE) == 0)
    return SQLITE_CANTOPEN;
  if (is_new)
    if (auto code = make(name, found); code != SQLITE_OK)
      return code;
  constexpr auto logs = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
  auto goes_at_end = name != nullptr && (flags & SQLITE_OPEN_DELETEONCLOSE) != 0;
  reinterpret_cast<file_slot*>(file)->file = new open_file{disk_, std::move(found),
    (flags & SQLITE_OPEN_CREATE) != 0 && (flags & logs) != 0, goes_at_end ? name : ""};
  file->pMethods = &methods;
  return SQLITE_OK;
}

int faulty_vfs::make(const std::string& name, std::shared_ptr<disk_file>& result) {
  auto how = disk_.next(faulty_disk::operation::write);
  if (how == faulty_disk::fate::works || how == faulty_disk::fate::crashes)
    disk_.directory_.add(name, result = std::make_shared<disk_file>(disk_.traits_));
  return how == faulty_disk::fate::works ? SQLITE_OK : SQLITE_CANTOPEN;
}

int faulty_vfs::remove(const std::string& name, bool sync_directory) {
  std::lock_guard lock{disk_.mutex_};
  if (disk_.is_dead_)
    return SQLITE_IOERR_DELETE;
  if (!disk_.directory_.find(name))
    return SQLITE_IOERR_DELETE_NOENT;
  auto how = disk_.next(faulty_disk::operation::shrink);
  if (how == faulty_disk::fate::works || how == faulty_disk::fate::crashes)
    disk_.directory_.remove(name);
  if (how == faulty_disk::fate::works && sync_directory)
    disk_.directory_.sync();
  return how == faulty_disk::fate::works ? SQLITE_OK : SQLITE_IOERR_DELETE;
}

/// As in SQLite's own VFS, an empty file counts as missing.
int faulty_vfs::exists(const std::string& name, int& result) {
  std::lock_guard lock{disk_.mutex_};
  if (disk_.is_dead_)
    return SQLITE_IOERR_ACCESS;
  auto file = disk_.directory_.find(name);
  result = file && file->bytes.size() > 0 ? 1 : 0;
  return SQLITE_OK;
}

int faulty_vfs::fill_with_noise(char* to, int count) {
  std::lock_guard lock{disk_.mutex_};
  for (int i = 0; i < count; ++i)
    to[i] = static_cast<char>(disk_.chance_.below(256));
  return count;
}

} // namespace scratchpage::test
