#include "scratchpage/persistence/stored_files/document_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/stored_files/kept_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"

namespace scratchpage {

caf::error document_files::write(std::string_view path, std::string_view bytes) {
  auto row = to_file_document(path, bytes);
  return row ? store_->put(by_, {&*row, 1}) : row.error();
}

/// Both in one transaction.
caf::error document_files::write_version(
  std::string_view path, std::string_view bytes, const file_version& version) {
  auto row = to_file_document(path, bytes);
  if (!row)
    return row.error();
  std::array rows{std::move(*row), to_version_document(path, version)};
  return store_->put(by_, rows);
}

caf::expected<std::optional<file_version>> document_files::version_of(std::string_view path) {
  return find_version(*store_, by_.agent, path);
}

caf::error document_files::append(std::string_view path, std::string_view bytes) {
  if (auto err = check_file_path(path))
    return err;
  auto known = bytes_of(path);
  if (!known)
    return known.error();
  return write(path, known->value_or("").append(bytes));
}

caf::expected<std::optional<file_content>> document_files::read(
  std::string_view path, uint64_t offset, uint64_t most) {
  if (auto err = check_file_path(path))
    return err;
  auto known = bytes_of(path);
  if (!known)
    return known.error();
  if (!*known)
    return std::optional<file_content>{};
  auto from = std::min<uint64_t>(offset, (*known)->size());
  return std::optional{file_content{(*known)->substr(from, most), (*known)->size()}};
}

caf::expected<std::optional<std::string>> document_files::bytes_of(std::string_view path) {
  std::optional<std::string> result;
  caf::error damage;
  document_range range;
  range.key = path;
  auto err =
    store_->find_documents(by_.agent, std::string{collection::files}, range, [&](document&& x) {
      auto bytes = bytes_of_file(x);
      if (bytes)
        result = std::move(*bytes);
      else
        damage = bytes.error();
      return false;
    });
  if (err || damage)
    return err ? err : damage;
  return result;
}

} // namespace scratchpage
