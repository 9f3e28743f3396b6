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

/// Identifies a version of a file: each change gives another stamp.
struct file_stamp {
  uint64_t inode = 0;
  uint64_t size = 0;
  int64_t changed_ns = 0; ///< time of the last change, in nanoseconds since the Unix epoch

  bool operator==(const file_stamp&) const = default;
};

/// Makes an empty file that only its owner may read. Error: `storage_unavailable`, also if there is
/// a file or a link of that name.
caf::error make_private(const std::filesystem::path& file);

/// A small file that only its owner may read. Several processes may change it, one after the other;
/// each change replaces the whole content and is durable.
class private_file {
public:
  /// The largest content that is read or written.
  static constexpr size_t max_bytes = 1u << 20;

  explicit private_file(std::filesystem::path path)
    : path_{std::move(path)} {}

  struct content {
    std::string bytes;
    file_stamp stamp;
  };

  /// Reads the file; nothing if it does not exist. Errors: `forbidden`, which says what to do, if
  /// others than the owner may read or change it; `storage_unavailable`, also for a link that leads
  /// nowhere.
  caf::expected<std::optional<content>> read() const;

  /// The stamp of the file now. If the file is a link that leads nowhere, the stamp of the link.
  /// Nothing if there is no file, or if its state cannot be read.
  std::optional<file_stamp> stamp() const;

  /// Calls `change` with the content of the file (nothing if it does not exist) and writes the
  /// content that it returns; an error of `change` changes nothing. The file and its folder are
  /// made if they do not exist, accessible to the owner only. Errors: those of `read` and of
  /// `change`; `overloaded` if other processes hold the file for five seconds;
  /// `storage_unavailable`.
  using replacement = std::function<caf::expected<std::string>(const std::optional<content>&)>;
  caf::error change(const replacement& change) const;

  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace scratchpage
