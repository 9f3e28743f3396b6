#pragma once

#include <memory>
#include <string>
#include <utility>

#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Files in an agent's store (stored_file.hpp), for where that is a server. What
/// is appended writes the whole file again. Writing gives `invalid_request` on
/// `size` for what would be too much.
class document_files : public file_store {
public:
  document_files(std::shared_ptr<store> in, ownership by)
    : store_{std::move(in)},
      by_{by} {}

  caf::error write(std::string_view path, std::string_view bytes) override;
  caf::error append(std::string_view path, std::string_view bytes) override;
  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override;
  caf::error write_version(
    std::string_view path, std::string_view bytes, const file_version& version) override;
  caf::expected<std::optional<file_version>> version_of(std::string_view path) override;

private:
  caf::expected<std::optional<std::string>> bytes_of(std::string_view path);

  std::shared_ptr<store> store_;
  ownership by_;
};

} // namespace scratchpage
