#include "scratchpage/runtime/cli/io/files.hpp"

#include <system_error>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/persistence/files/private_file.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"

namespace scratchpage {

// -- output ---------------------------------------------------------------------------

namespace fs = std::filesystem;

namespace {

/// Whether the path is a symbolic link of another user. In a shared folder such as /tmp another
/// user could redirect the output with one.
bool is_link_of_another(const fs::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode)
         && found.st_uid != ::geteuid();
}

} // namespace

output_file::~output_file() {
  out_.close();
  std::error_code ignored;
  if (!temporary_.empty())
    fs::remove(temporary_, ignored);
}

caf::error output_file::open(const fs::path& path) {
  std::error_code ec;
  path_ = path;
  if (is_link_of_another(path_))
    return bad_input(
      path.string(), 0, "", "expected a file to write, but it is a link of another user's");
  if (fs::is_symlink(path_, ec)) // the link stays, and its target is replaced
    if (auto target = fs::weakly_canonical(path_, ec); !ec)
      path_ = target;
  auto status = fs::status(path_, ec);
  if (fs::is_directory(status))
    return bad_input(path.string(), 0, "", "expected a file to write, but it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    out_.open(path_, std::ios::binary);
  } else {
    if (fs::exists(status) && access(path_.c_str(), W_OK) != 0)
      return cannot_write();
    temporary_ = path_;
    temporary_ += ".part" + std::to_string(getpid());
    make_temporary(status);
  }
  if (out_)
    return {};
  temporary_.clear();
  return cannot_write();
}

/// Creates the temporary file: readable by its user alone, or with the mode of the file that it
/// replaces.
void output_file::make_temporary(const fs::file_status& before) {
  std::error_code ec;
  fs::remove(temporary_, ec); // left by a process with the same id that did not finish
  if (make_private(temporary_))
    return out_.setstate(std::ios::failbit);
  if (fs::exists(before))
    fs::permissions(temporary_, before.permissions(), ec);
  out_.open(temporary_, std::ios::binary | std::ios::trunc);
}

void output_file::write(std::string_view text) {
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

caf::error output_file::finish() {
  out_.flush();
  if (!out_)
    return cannot_write();
  out_.close();
  return out_ ? caf::error{} : cannot_write();
}

caf::error output_file::commit() {
  if (temporary_.empty())
    return {};
  std::error_code ec;
  fs::rename(temporary_, path_, ec);
  if (ec)
    return cannot_write();
  temporary_.clear();
  return {};
}

caf::error output_file::cannot_write() const {
  return bad_input(path_.string(), 0, "", "expected a file that can be written");
}

// -- configuration --------------------------------------------------------------------

caf::expected<config> load_config_file(const std::filesystem::path& file) {
  if (file.empty())
    return default_config();
  auto layer = read_config_file(file);
  if (!layer)
    return layer.error();
  auto result = load_config(std::vector<json::object>{*layer});
  if (!result)
    return in_config_file(file, result.error());
  return result;
}

caf::error in_config_file(const std::filesystem::path& file, const caf::error& err) {
  auto text = read_text_file(file);
  auto path = field_of(err);
  auto line = text ? line_of(skip_bom(*text), path) : 0;
  return bad_input(file.string(), line, path, expectation_of(err));
}

} // namespace scratchpage
