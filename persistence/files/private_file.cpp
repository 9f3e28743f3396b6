#include "scratchpage/persistence/files/private_file.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/file_error.hpp"

namespace scratchpage {

namespace {

using std::filesystem::path;

constexpr int lock_attempts = 500;
constexpr int lock_pause_ms = 10;

/// A file descriptor; the destructor closes it.
class descriptor {
public:
  descriptor(const path& name, int flags)
    : fd_{::open(name.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)} {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

private:
  int fd_;
};

file_stamp stamp_of(const struct stat& x) {
  constexpr int64_t second = 1'000'000'000;
  return {
    x.st_ino, static_cast<uint64_t>(x.st_size), x.st_ctim.tv_sec * second + x.st_ctim.tv_nsec};
}

caf::error check_is_private(const path& file, const struct stat& x) {
  if (!S_ISREG(x.st_mode))
    return fail(errc::forbidden, "", file.string() + " is not a file");
  if ((x.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return fail(errc::forbidden, "",
      file.string() + " may be read or changed by others than its owner; 'chmod 600 "
        + file.string() + "' puts this right");
  return {};
}

bool read_all(int fd, std::string& to) {
  size_t done = 0;
  while (done < to.size()) {
    auto size = ::pread(fd, to.data() + done, to.size() - done, static_cast<off_t>(done));
    if (size == 0)
      break;
    if (size < 0 && errno != EINTR)
      return false;
    done += static_cast<size_t>(std::max<ssize_t>(size, 0));
  }
  to.resize(done);
  return true;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    auto size = ::write(fd, bytes.data(), bytes.size());
    if (size < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(static_cast<size_t>(std::max<ssize_t>(size, 0)));
  }
  return true;
}

/// Whether the file is a link whose target does not exist, such as a path that is not mounted.
bool leads_nowhere(const path& file) {
  struct stat found {};
  return ::lstat(file.c_str(), &found) == 0 && S_ISLNK(found.st_mode)
         && ::stat(file.c_str(), &found) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

caf::error leads_nowhere_error(const path& file) {
  return fail(errc::storage_unavailable, "",
    file.string() + " is a link; expected its target, but that does not exist");
}

/// The path of a hidden file beside `file`, with the same name and another ending.
path beside(const path& file, const char* ending) {
  return file.parent_path() / ("." + file.filename().string() + ending);
}

caf::error make_folder_beside(const path& folder) {
  std::error_code ec;
  if (!folder.empty() && std::filesystem::create_directories(folder, ec))
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ec);
  return ec ? failed(folder, "made", ec.value()) : caf::error{};
}

/// Waits for the lock and takes it. A process that has it needs it for milliseconds.
caf::error take_lock(int lock, const path& file) {
  for (int i = 0; i < lock_attempts; ++i) {
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0)
      return {};
    if (errno != EWOULDBLOCK && errno != EINTR)
      return failed(file, "locked", errno);
    ::poll(nullptr, 0, lock_pause_ms);
  }
  return fail(errc::overloaded, "", file.string() + " is being changed by another process");
}

caf::error put_in_place(const path& file, std::string_view bytes) {
  auto temporary = beside(file, ".new");
  ::unlink(temporary.c_str()); // a process that died may have left one
  {
    descriptor to{temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW};
    if (!to || !write_all(to.get(), bytes) || ::fsync(to.get()) != 0)
      return failed(file, "written", errno);
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0)
    return failed(file, "written", errno);
  auto folder = file.has_parent_path() ? file.parent_path() : path{"."};
  descriptor names{folder, O_RDONLY | O_DIRECTORY};
  return names && ::fsync(names.get()) == 0 ? caf::error{} : failed(folder, "synced", errno);
}

} // namespace

caf::error make_private(const std::filesystem::path& file) {
  descriptor made{file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW};
  return made ? caf::error{} : failed(file, "made", errno);
}

caf::expected<std::optional<private_file::content>> private_file::read() const {
  descriptor from{path_, O_RDONLY | O_NONBLOCK}; // for a FIFO; a file never blocks
  if (!from) {
    auto why = errno;
    if (leads_nowhere(path_))
      return leads_nowhere_error(path_);
    if (why == ENOENT || why == ENOTDIR)
      return std::optional<content>{};
    return failed(path_, "read", why);
  }
  struct stat found {};
  if (::fstat(from.get(), &found) != 0)
    return failed(path_, "read", errno);
  if (auto err = check_is_private(path_, found))
    return err;
  content result;
  result.stamp = stamp_of(found);
  if (result.stamp.size > max_bytes)
    return failed(path_, "read", EFBIG);
  result.bytes.resize(result.stamp.size);
  if (!read_all(from.get(), result.bytes))
    return failed(path_, "read", errno);
  return std::optional{std::move(result)};
}

std::optional<file_stamp> private_file::stamp() const {
  struct stat found {};
  if (::stat(path_.c_str(), &found) != 0 && ::lstat(path_.c_str(), &found) != 0)
    return std::nullopt;
  return stamp_of(found);
}

caf::error private_file::change(const replacement& change) const {
  if (leads_nowhere(path_))
    return leads_nowhere_error(path_);
  std::error_code ec;
  auto file = std::filesystem::weakly_canonical(path_, ec); // a link stays a link
  if (ec)
    return failed(path_, "found", ec.value());
  if (auto err = make_folder_beside(file.parent_path()))
    return err;
  descriptor lock{beside(file, ".lock"), O_RDWR | O_CREAT | O_NOFOLLOW};
  if (!lock)
    return failed(file, "locked", errno);
  if (auto err = take_lock(lock.get(), file))
    return err;
  auto before = read();
  if (!before)
    return before.error();
  auto after = change(*before);
  if (!after)
    return after.error();
  if (after->size() > max_bytes)
    return fail(errc::overloaded, "", file.string() + " would become too large");
  return put_in_place(file, *after);
}

} // namespace scratchpage
