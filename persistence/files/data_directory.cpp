#include "scratchpage/persistence/files/data_directory.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

std::string reason(int error) {
  return std::error_code{error, std::generic_category()}.message();
}

caf::error cannot_use(const std::filesystem::path& path, const std::string& why) {
  return fail(errc::storage_unavailable, "",
    "the data directory " + path.string() + " cannot be used: " + why);
}

/// The process that has the lock, as it has written into the file.
std::string holder(int lock) {
  std::array<char, 32> text{};
  auto size = ::pread(lock, text.data(), text.size(), 0);
  std::string pid{text.data(), static_cast<size_t>(std::max<ssize_t>(size, 0))};
  return pid.empty() ? "another process" : "process " + pid;
}

/// Takes the lock; false if another process has it.
caf::expected<bool> take(int lock, const std::filesystem::path& path) {
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0)
    return true;
  if (errno == EWOULDBLOCK)
    return false;
  return cannot_use(path, reason(errno));
}

/// Takes the lock; an error that names the process that has it.
caf::error take_or_tell(int lock, const std::filesystem::path& path) {
  auto taken = take(lock, path);
  if (!taken)
    return taken.error();
  return *taken ? caf::error{} : cannot_use(path, holder(lock) + " uses it");
}

/// Makes a folder and the folders above it. Folders that exist keep their modes.
caf::error make_folder(const std::filesystem::path& path) {
  std::error_code ec;
  if (path.has_parent_path())
    std::filesystem::create_directories(path.parent_path(), ec);
  if (!ec && ::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    ec = {errno, std::generic_category()};
  return ec ? cannot_use(path, ec.message()) : caf::error{};
}

caf::error forbid(const std::filesystem::path& path, const std::string& why) {
  return fail(errc::forbidden, "", "the data directory " + path.string() + " is refused: " + why);
}

/// Whether the folder is a data directory, or empty. Any other folder, such as a home directory
/// that was named by mistake, keeps its mode.
bool is_for_data(const std::filesystem::path& folder) {
  std::error_code ec;
  return std::filesystem::exists(folder / "scratchpage.db", ec)
         || std::filesystem::exists(folder / "tokens.json", ec)
         || std::filesystem::is_empty(folder, ec);
}

/// Makes files private that an earlier version made readable for everybody.
void make_files_private(const std::filesystem::path& folder) {
  using std::filesystem::perms;
  for (const auto* name :
    {"scratchpage.db", "scratchpage.db-wal", "scratchpage.db-shm", "scratchpage.db-mark",
      "trace.db", "trace.db-wal", "trace.db-shm", "trace.db-mark", "lock", "tokens.json"}) {
    auto file = folder / name;
    std::error_code ignored;
    if (std::filesystem::symlink_status(file, ignored).type()
        == std::filesystem::file_type::regular)
      std::filesystem::permissions(file, perms::owner_read | perms::owner_write, ignored);
  }
}

caf::error make_private_folder(const std::filesystem::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0)
    return cannot_use(path, reason(errno));
  if (!S_ISDIR(found.st_mode))
    return cannot_use(path, reason(ENOTDIR));
  if (found.st_uid != ::geteuid())
    return forbid(path, "it is another user's; run as that user, or 'chown -R "
                          + std::to_string(::geteuid()) + " " + path.string() + "'");
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return forbid(
      path, "others may change it; look at what is in it, then 'chmod 700 " + path.string() + "'");
  if ((found.st_mode & (S_IRWXG | S_IRWXO)) == 0)
    return {};
  if (!is_for_data(path) || ::chmod(path.c_str(), S_IRWXU) != 0)
    return forbid(path, "others may read it; 'chmod 700 " + path.string() + "'");
  make_files_private(path);
  return {};
}

/// Checks that the lock is this user's own file, because it is truncated and written to.
caf::error check_lock(int lock, const std::filesystem::path& path) {
  struct stat found {};
  if (::fstat(lock, &found) != 0)
    return cannot_use(path, reason(errno));
  if (!S_ISREG(found.st_mode) || found.st_uid != ::geteuid() || found.st_nlink != 1)
    return forbid(path, "'lock' in it is a link, or another user's; remove it");
  return {};
}

caf::expected<int> open_lock(const std::filesystem::path& path, int flags) {
  auto file = path / "lock";
  auto lock = ::open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (lock < 0 && errno == ELOOP)
    return forbid(path, "'lock' in it is a link; remove it");
  if (lock < 0 && errno == ENOENT)
    return -1;
  if (lock < 0)
    return cannot_use(path, reason(errno));
  if (auto err = check_lock(lock, path)) {
    ::close(lock);
    return err;
  }
  return lock;
}

} // namespace

caf::expected<data_directory> data_directory::make(const std::filesystem::path& path) {
  if (auto err = make_folder(path))
    return err;
  if (auto err = make_private_folder(path))
    return err;
  auto lock = open_lock(path, O_RDWR | O_CREAT);
  if (!lock)
    return lock.error();
  return data_directory{path, *lock};
}

/// Writes the id of this process into the lock, for the errors of other processes.
caf::error data_directory::sign() const {
  auto pid = std::to_string(::getpid());
  if (::ftruncate(lock_, 0) != 0
      || ::pwrite(lock_, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return cannot_use(path_, reason(errno));
  return {};
}

caf::expected<data_directory> data_directory::open(const std::filesystem::path& path) {
  auto result = make(path);
  if (!result)
    return result;
  if (auto err = take_or_tell(result->lock_, path))
    return err;
  if (auto err = result->sign())
    return err;
  return result;
}

caf::expected<std::optional<data_directory>> data_directory::try_open(
  const std::filesystem::path& path) {
  auto result = make(path);
  if (!result)
    return result.error();
  auto taken = take(result->lock_, path);
  if (!taken)
    return taken.error();
  if (!*taken)
    return std::optional<data_directory>{};
  if (auto err = result->sign())
    return err;
  return std::optional<data_directory>{std::move(*result)};
}

caf::expected<data_directory> data_directory::open_to_read(const std::filesystem::path& path) {
  auto lock = open_lock(path, O_RDONLY);
  if (!lock)
    return lock.error();
  data_directory result{path, *lock};
  if (*lock >= 0) // without a lock file nobody uses the directory
    if (auto err = take_or_tell(*lock, path))
      return err;
  return result;
}

data_directory::~data_directory() {
  if (lock_ >= 0)
    ::close(lock_); // this releases the lock, too
}

std::filesystem::path default_data_directory() {
  auto variable = [](const char* name) -> std::filesystem::path {
    const auto* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? "" : value;
  };
  auto base = variable("XDG_DATA_HOME");
  if (base.is_relative()) // the XDG specification says to ignore it then
    base = variable("HOME") / ".local" / "share";
  return base / "scratchpage";
}

} // namespace scratchpage
