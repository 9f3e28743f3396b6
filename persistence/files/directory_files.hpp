#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scratchpage/persistence/files/file_store.hpp"

namespace scratchpage {

/// Files in a folder, which only this object writes. It and its folders are made
/// when they are needed, for their owner alone.
class directory_files : public file_store {
public:
  explicit directory_files(std::filesystem::path folder)
    : folder_{std::move(folder)} {}

  /// Writes a temporary file, syncs it, gives it the name, and syncs the folder.
  caf::error write(std::string_view path, std::string_view bytes) override;
  caf::error append(std::string_view path, std::string_view bytes) override;
  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override;

  /// The paths of all files that it could have written, bytewise in order. No
  /// links are followed.
  caf::expected<std::vector<std::string>> list() const;

private:
  std::filesystem::path folder_;
};

} // namespace scratchpage
