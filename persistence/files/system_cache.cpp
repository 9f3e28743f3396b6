#include "scratchpage/persistence/files/system_cache.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace scratchpage {

namespace {

/// The system's code for what went wrong; 0: nothing.
int sync_and_drop(int file) {
  if (::fsync(file) != 0)
    return errno;
  // Only what is clean is dropped, which after the sync is all of it.
  return ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

} // namespace

void see_disk(const std::filesystem::path& file) {
  auto opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  auto code = opened < 0 ? errno : sync_and_drop(opened);
  if (opened >= 0)
    ::close(opened);
  if (code != 0 && code != ENOENT)
    throw std::filesystem::filesystem_error{
      "reading from the disk", file, std::error_code{code, std::system_category()}};
}

} // namespace scratchpage
