#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

namespace scratchpage {

/// Which version of a file it is: each change makes another.
struct file_stamp {
  uint64_t inode = 0;
  uint64_t size = 0;
  int64_t changed_ns = 0; ///< when, in nanoseconds since the Unix epoch

  bool operator==(const file_stamp&) const = default;
};

/// Makes an empty file that nobody but its owner may read, where there is nothing: no file,
/// and no link that somebody has put there. Error: `storage_unavailable`.
caf::error make_private(const std::filesystem::path& file);

/// A small file that nobody but its owner may read, and that several processes change:
/// one after the other, each time as a whole, and durably.
class private_file {
public:
  /// At most so much is read or written.
  static constexpr size_t most_bytes = 1u << 20;

  explicit private_file(std::filesystem::path path)
    : path_{std::move(path)} {}

  struct content {
    std::string bytes;
    file_stamp stamp;
  };

  /// Nothing if there is no such file. Errors: `forbidden`, which says what to do, if
  /// others than the owner may read or change it; `storage_unavailable`, also for a link to
  /// what is not there.
  caf::expected<std::optional<content>> read() const;

  /// As it is now, of a link to what is not there the link; nothing if there is none or nobody
  /// can tell.
  std::optional<file_stamp> stamp() const;

  /// Gives `change` what is in the file, nothing if there is none, and puts what it gives into
  /// its place; what it refuses changes nothing. Makes the file, and its folder, for the owner
  /// alone. Errors: of `read` and `change`; `overloaded` if others keep it for five seconds;
  /// `storage_unavailable`.
  using replacement = std::function<caf::expected<std::string>(const std::optional<content>&)>;
  caf::error change(const replacement& change) const;

  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace scratchpage
