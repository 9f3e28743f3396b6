#include "scratchpage/tests/support/open_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace scratchpage::test {

namespace {

uint64_t position(int64_t x) {
  return static_cast<uint64_t>(x);
}

/// The beginning of `bytes` that a failed write has written.
std::string_view some_of(std::string_view bytes, chance& by) {
  auto sectors = bytes.size() / cached_file::sector_size + 1;
  return bytes.substr(0, by.below(sectors + 1) * cached_file::sector_size);
}

} // namespace

open_file::open_file(faulty_disk& disk, std::shared_ptr<disk_file> file, bool syncs_directory,
  std::string removed_at_end)
  : disk_{disk},
    file_{std::move(file)},
    process_{disk.process_},
    syncs_directory_{syncs_directory},
    removed_at_end_{std::move(removed_at_end)} {}

open_file::~open_file() {
  unmap();
  std::lock_guard lock{disk_.mutex_};
  if (is_useless())
    return;
  file_->locks.lower(this, SQLITE_LOCK_NONE);
  if (!removed_at_end_.empty())
    disk_.directory_.remove(removed_at_end_);
}

bool open_file::is_useless() const {
  return disk_.is_dead_ || process_ != disk_.process_;
}

open_file::fate open_file::next(operation x) {
  return is_useless() ? fate::fails : disk_.next(x);
}

// -- bytes ----------------------------------------------------------------------------------

int open_file::read(char* to, int count, int64_t offset) {
  std::lock_guard lock{disk_.mutex_};
  if (next(operation::read) != fate::works)
    return SQLITE_IOERR_READ;
  auto wanted = static_cast<size_t>(count);
  auto found = file_->bytes.read(position(offset), wanted);
  std::memset(std::copy(found.begin(), found.end(), to), 0, wanted - found.size());
  return found.size() < wanted ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

int open_file::write(std::string_view bytes, int64_t offset) {
  std::lock_guard lock{disk_.mutex_};
  if (is_useless())
    return SQLITE_IOERR_WRITE;
  auto how = next(operation::write);
  auto done = how == fate::works ? bytes : some_of(bytes, disk_.chance_);
  if (!done.empty())
    file_->bytes.write(position(offset), done);
  if (how == fate::finds_no_room)
    return SQLITE_FULL;
  return how == fate::works ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

int open_file::resize(int64_t size) {
  std::lock_guard lock{disk_.mutex_};
  if (is_useless())
    return SQLITE_IOERR_TRUNCATE;
  auto how = next(operation::shrink);
  if (how == fate::works || (how == fate::crashes && disk_.chance_.one_in(2)))
    file_->bytes.resize(position(size));
  return how == fate::works ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

int open_file::sync() {
  std::lock_guard lock{disk_.mutex_};
  if (is_useless())
    return SQLITE_IOERR_FSYNC;
  auto how = next(operation::sync);
  if (how == fate::fails)
    file_->bytes.fail_to_sync(disk_.chance_);
  if (how != fate::works)
    return SQLITE_IOERR_FSYNC;
  file_->bytes.sync();
  if (std::exchange(syncs_directory_, false))
    disk_.directory_.sync();
  return SQLITE_OK;
}

int open_file::size(int64_t& result) {
  std::lock_guard lock{disk_.mutex_};
  if (is_useless())
    return SQLITE_IOERR_FSTAT;
  result = static_cast<int64_t>(file_->bytes.size());
  return SQLITE_OK;
}

// -- locks ----------------------------------------------------------------------------------

int open_file::lock(int level) {
  std::lock_guard lock{disk_.mutex_};
  return is_useless() ? SQLITE_IOERR_LOCK : file_->locks.raise(this, level);
}

int open_file::unlock(int level) {
  std::lock_guard lock{disk_.mutex_};
  if (!is_useless())
    file_->locks.lower(this, level);
  return SQLITE_OK;
}

int open_file::is_reserved(int& result) {
  std::lock_guard lock{disk_.mutex_};
  if (is_useless())
    return SQLITE_IOERR_CHECKRESERVEDLOCK;
  result = file_->locks.is_reserved() ? 1 : 0;
  return SQLITE_OK;
}

// -- the log's index ------------------------------------------------------------------------

int open_file::map(int region, int size, bool make, volatile void*& result) {
  std::lock_guard lock{disk_.mutex_};
  result = nullptr;
  if (is_useless())
    return SQLITE_IOERR_SHMMAP;
  if (!index_)
    index_ = file_->index.lock();
  if (!index_)
    file_->index = index_ = std::make_shared<shared_memory>();
  result = index_->map(static_cast<size_t>(region), static_cast<size_t>(size), make);
  return SQLITE_OK;
}

int open_file::lock_index(int first, int count, int flags) {
  std::lock_guard lock{disk_.mutex_};
  return is_useless() || !index_ ? SQLITE_IOERR_SHMLOCK : index_->lock(this, first, count, flags);
}

void open_file::unmap() {
  std::lock_guard lock{disk_.mutex_};
  if (index_)
    index_->release(this);
  index_.reset(); // the last owner destroys it
}

} // namespace scratchpage::test
