#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/files.hpp"

namespace scratchpage {

/// A part of a file.
struct file_content {
  std::string bytes;
  uint64_t size = 0; ///< of the whole file
};

/// An agent's files: scratchbooks, histories, tool results. Paths are as `check_file_path` allows.
/// One thread at a time may use a store. Errors of all: `storage_unavailable`, and
/// `invalid_request` about a path.
class file_store {
public:
  virtual ~file_store() = default;

  /// Replaces the content of a file. The new content is durable when this returns without an error.
  /// If the process dies meanwhile, the file has its old content, or does not exist.
  virtual caf::error write(std::string_view path, std::string_view bytes) = 0;

  /// As `write`, and stores the version of the file together with the agent's history. The file is
  /// written first: if the process dies meanwhile, the stored version is that of the old file, and
  /// never newer than the file. A store without a history stores no versions.
  virtual caf::error write_version(
    std::string_view path, std::string_view bytes, const file_version& version) {
    std::ignore = version;
    return write(path, bytes);
  }

  /// The version that was stored last; nothing if there is none.
  virtual caf::expected<std::optional<file_version>> version_of(std::string_view path) {
    std::ignore = path;
    return std::optional<file_version>{};
  }

  /// Appends bytes to the file, which is made if it does not exist. If the process dies meanwhile,
  /// the file may have a part of them.
  virtual caf::error append(std::string_view path, std::string_view bytes) = 0;

  /// Reads at most `most` bytes from `offset` on; none if `offset` is beyond the end. Nothing if
  /// there is no such file.
  virtual caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) = 0;
};

/// Files in memory, for as long as this object exists.
class memory_files : public file_store {
public:
  caf::error write(std::string_view path, std::string_view bytes) override;
  caf::error append(std::string_view path, std::string_view bytes) override;
  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override;

private:
  std::map<std::string, std::string, std::less<>> files_;
};

/// Files in a folder, in which only this object writes. The folder and those in it are made when
/// they are needed, accessible to their owner only.
class directory_files : public file_store {
public:
  explicit directory_files(std::filesystem::path folder)
    : folder_{std::move(folder)} {}

  /// Writes a temporary file, syncs it, gives it the name, and syncs the folder.
  caf::error write(std::string_view path, std::string_view bytes) override;
  caf::error append(std::string_view path, std::string_view bytes) override;
  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override;

  /// The paths of all files in the folder that have an allowed name, in the order of their bytes.
  /// It follows no links.
  caf::expected<std::vector<std::string>> list() const;

private:
  std::filesystem::path folder_;
};

} // namespace scratchpage
