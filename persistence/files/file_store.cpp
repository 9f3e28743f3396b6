#include "scratchpage/persistence/files/file_store.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/file_error.hpp"
#include "scratchpage/persistence/files/file_name.hpp"

namespace scratchpage {

namespace {

using std::filesystem::path;

/// An open file; the destructor closes it.
class open_file {
public:
  open_file(const path& name, int flags)
    : fd_{::open(name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)} {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (fd_ >= 0)
      ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }

  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      auto size = ::write(fd_, bytes.data(), bytes.size());
      if (size < 0 && errno != EINTR)
        return false;
      bytes.remove_prefix(static_cast<size_t>(std::max<ssize_t>(size, 0)));
    }
    return true;
  }

  bool sync() const { return ::fsync(fd_) == 0; }

  std::optional<uint64_t> size() const {
    struct stat found {};
    return ::fstat(fd_, &found) == 0 ? std::optional{static_cast<uint64_t>(found.st_size)}
                                     : std::nullopt;
  }

  /// Reads `to.size()` bytes, or fewer at the end of the file; `to` then has their size.
  bool read(std::string& to, uint64_t offset) const {
    size_t done = 0;
    while (done < to.size()) {
      auto size =
        ::pread(fd_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
      if (size == 0)
        break;
      if (size < 0 && errno != EINTR)
        return false;
      done += static_cast<size_t>(std::max<ssize_t>(size, 0));
    }
    to.resize(done);
    return true;
  }

private:
  int fd_;
};

/// Makes the names in a folder durable.
caf::error sync_folder(const path& folder) {
  open_file file{folder, O_RDONLY | O_DIRECTORY};
  return file.is_open() && file.sync() ? caf::error{} : failed(folder, "synced", errno);
}

/// Makes the folders that are missing, from the top down.
caf::error make_durable_folder(const path& folder) {
  std::vector<path> missing;
  for (auto x = folder; !x.empty() && !std::filesystem::exists(x); x = x.parent_path())
    missing.push_back(x);
  std::reverse(missing.begin(), missing.end());
  for (const auto& x : missing) {
    if (::mkdir(x.c_str(), S_IRWXU) != 0 && errno != EEXIST)
      return failed(x, "made", errno);
    if (auto err = sync_folder(x.has_parent_path() ? x.parent_path() : path{"."}))
      return err;
  }
  return {};
}

caf::error put_down(const path& file, int flags, std::string_view bytes) {
  open_file to{file, O_WRONLY | O_CREAT | flags};
  if (!to.is_open() || !to.write(bytes) || !to.sync())
    return failed(file, "written", errno);
  return {};
}

} // namespace

caf::error memory_files::write(std::string_view name, std::string_view bytes) {
  if (auto err = check_file_path(name))
    return err;
  files_.insert_or_assign(std::string{name}, std::string{bytes});
  return {};
}

caf::error memory_files::append(std::string_view name, std::string_view bytes) {
  if (auto err = check_file_path(name))
    return err;
  files_[std::string{name}].append(bytes);
  return {};
}

caf::expected<std::optional<file_content>> memory_files::read(
  std::string_view name, uint64_t offset, uint64_t most) {
  if (auto err = check_file_path(name))
    return err;
  auto i = files_.find(name);
  if (i == files_.end())
    return std::optional<file_content>{};
  const auto& all = i->second;
  auto from = std::min<uint64_t>(offset, all.size());
  return std::optional{file_content{all.substr(from, most), all.size()}};
}

caf::error directory_files::write(std::string_view name, std::string_view bytes) {
  if (auto err = check_file_path(name))
    return err;
  auto file = folder_ / name;
  auto temporary = file.parent_path() / ("." + file.filename().string() + ".new");
  if (auto err = make_durable_folder(file.parent_path()))
    return err;
  if (auto err = put_down(temporary, O_TRUNC, bytes)) {
    ::unlink(temporary.c_str());
    return err;
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0)
    return failed(file, "written", errno);
  return sync_folder(file.parent_path());
}

caf::error directory_files::append(std::string_view name, std::string_view bytes) {
  if (auto err = check_file_path(name))
    return err;
  auto file = folder_ / name;
  if (auto err = make_durable_folder(file.parent_path()))
    return err;
  if (auto err = put_down(file, O_APPEND, bytes))
    return err;
  return sync_folder(file.parent_path());
}

caf::expected<std::vector<std::string>> directory_files::list() const {
  using std::filesystem::recursive_directory_iterator;
  std::vector<std::string> result;
  std::error_code ec, gone; // `gone` is of a file that was removed meanwhile
  if (!std::filesystem::exists(folder_, ec) && !ec)
    return result;
  for (recursive_directory_iterator i{folder_, ec}, end; !ec && i != end; i.increment(ec)) {
    auto name = i->path().lexically_relative(folder_).generic_string();
    if (i->symlink_status(gone).type() == std::filesystem::file_type::regular
        && !check_file_path(name))
      result.push_back(std::move(name));
  }
  if (ec)
    return failed(folder_, "listed", ec.value());
  std::sort(result.begin(), result.end());
  return result;
}

caf::expected<std::optional<file_content>> directory_files::read(
  std::string_view name, uint64_t offset, uint64_t most) {
  if (auto err = check_file_path(name))
    return err;
  auto file = folder_ / name;
  open_file from{file, O_RDONLY};
  if (!from.is_open()) {
    if (errno == ENOENT || errno == ENOTDIR)
      return std::optional<file_content>{};
    return failed(file, "read", errno);
  }
  auto size = from.size();
  if (!size)
    return failed(file, "read", errno);
  file_content result;
  result.size = *size;
  result.bytes.resize(std::min(most, *size - std::min(offset, *size)));
  if (!from.read(result.bytes, offset))
    return failed(file, "read", errno);
  return std::optional{std::move(result)};
}

} // namespace scratchpage
