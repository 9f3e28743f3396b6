#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>
#include <caf/expected.hpp>

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

  /// Adds them at the end of the file, which is made if it is not there. If the
  /// process dies meanwhile, a part of them may be there.
  virtual caf::error append(std::string_view path, std::string_view bytes) = 0;

  /// At most `most` bytes from `offset` on, none beyond its end; nothing if there
  /// is no such file.
  virtual caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) = 0;
};

} // namespace scratchpage
