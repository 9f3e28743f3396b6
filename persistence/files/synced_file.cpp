#include "scratchpage/persistence/files/synced_file.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

caf::error cannot_write(const std::filesystem::path& path, int error) {
  return fail(errc::storage_unavailable, "",
    path.string()
      + " cannot be written: " + std::error_code{error, std::generic_category()}.message());
}

/// Works on directories, too.
caf::error sync(const std::filesystem::path& path) {
  auto file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  auto is_synced = file >= 0 && ::fsync(file) == 0;
  auto why = errno;
  if (file >= 0)
    ::close(file);
  return is_synced ? caf::error{} : cannot_write(path, why);
}

std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path{"."};
}

} // namespace

caf::error publish(const std::filesystem::path& file, const std::filesystem::path& name) {
  if (auto err = sync(file))
    return err;
  // A link, unlike a new name, does not take the place of what is there.
  if (::link(file.c_str(), name.c_str()) != 0)
    return cannot_write(name, errno);
  if (::unlink(file.c_str()) != 0)
    return cannot_write(file, errno);
  return sync(directory_of(name));
}

} // namespace scratchpage
