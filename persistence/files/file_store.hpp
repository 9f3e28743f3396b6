#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/files.hpp"

namespace scratchpage {

/// Bytes of a file, from where they were asked for.
struct file_content {
  std::string bytes;
  uint64_t size = 0; ///< of the whole file
};

/// An agent's files: scratchbooks, histories, tool results. Paths are as
/// `check_file_path` allows. For one thread at a time; errors are
/// `storage_unavailable` unless told otherwise, and `invalid_request` of a path.
class file_store {
public:
  virtual ~file_store() = default;

  /// The file has these bytes and no others once this returns without an error,
  /// and what it had before, or is not there, if the process dies meanwhile.
  virtual caf::error write(std::string_view path, std::string_view bytes) = 0;

  /// As `write`, and keeps which version it is, where the history of the agent is kept. The
  /// file is first: a process that dies meanwhile leaves the version of before with one of
  /// both files, never a later version than the file. A store that keeps nothing else keeps
  /// no versions.
  virtual caf::error write_version(
    std::string_view path, std::string_view bytes, const file_version& version) {
    std::ignore = version;
    return write(path, bytes);
  }

  /// The version that was kept last; nothing if none was.
  virtual caf::expected<std::optional<file_version>> version_of(std::string_view path) {
    std::ignore = path;
    return std::optional<file_version>{};
  }

  /// Adds them at the end of the file, which is made if it is not there. If the
  /// process dies meanwhile, a part of them may be there.
  virtual caf::error append(std::string_view path, std::string_view bytes) = 0;

  /// At most `most` bytes from `offset` on, none beyond its end; nothing if there
  /// is no such file.
  virtual caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) = 0;
};

} // namespace scratchpage
