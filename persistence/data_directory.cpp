#include "scratchpage/persistence/data_directory.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
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

/// What the process that has the lock wrote into it.
std::string holder(int lock) {
  std::array<char, 32> text{};
  auto size = ::pread(lock, text.data(), text.size(), 0);
  std::string pid{text.data(), static_cast<size_t>(std::max<ssize_t>(size, 0))};
  return pid.empty() ? "another process" : "process " + pid;
}

/// Takes the lock; false if somebody has it.
caf::expected<bool> take(int lock, const std::filesystem::path& path) {
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0)
    return true;
  if (errno == EWOULDBLOCK)
    return false;
  return cannot_use(path, reason(errno));
}

/// Takes the lock, or tells who has it.
caf::error take_or_tell(int lock, const std::filesystem::path& path) {
  auto taken = take(lock, path);
  if (!taken)
    return taken.error();
  return *taken ? caf::error{} : cannot_use(path, holder(lock) + " uses it");
}

} // namespace

caf::expected<data_directory> data_directory::make(const std::filesystem::path& path) {
  std::error_code ec;
  if (std::filesystem::create_directories(path, ec))
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, ec);
  if (ec)
    return cannot_use(path, ec.message());
  auto file = path / "lock";
  auto lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0)
    return cannot_use(path, reason(errno));
  return data_directory{path, lock};
}

/// Others are told which process has the lock.
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
  auto lock = ::open((path / "lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0 && errno != ENOENT) // without the file nobody uses it
    return cannot_use(path, reason(errno));
  data_directory result{path, lock};
  if (lock >= 0)
    if (auto err = take_or_tell(lock, path))
      return err;
  return result;
}

data_directory::~data_directory() {
  if (lock_ >= 0)
    ::close(lock_); // and the lock goes with it
}

std::filesystem::path default_data_directory() {
  auto variable = [](const char* name) -> std::filesystem::path {
    const auto* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? "" : value;
  };
  auto base = variable("XDG_DATA_HOME");
  if (base.is_relative()) // the standard says: pass over it
    base = variable("HOME") / ".local" / "share";
  return base / "scratchpage";
}

} // namespace scratchpage
