#include "scratchpage/persistence/stored_files/stored_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"

namespace scratchpage {

caf::expected<document> to_file_document(std::string_view path, std::string_view bytes) {
  if (auto err = check_file_path(path))
    return err;
  stored_file file;
  file.path = path;
  if (utf8::is_valid(bytes))
    file.text = bytes;
  else
    file.base64 = to_base64(bytes);
  auto result = to_document(collection::files, file.path, file);
  if (result.body.size() > max_stored_file_bytes)
    return fail(errc::invalid_request, "size",
      "expected a file of at most " + std::to_string(max_stored_file_bytes) + " bytes as JSON, but "
        + file.path + " has " + std::to_string(result.body.size()));
  result.index = document_index{}; // so that it can be found by its name
  return result;
}

caf::error check_stored_file(const stored_file& x) {
  if (auto err = check_file_path(x.path))
    return err;
  if (x.text.has_value() == x.base64.has_value())
    return fail(errc::invalid_request, "text", "expected either text or base64");
  if (x.base64 && !from_base64(*x.base64))
    return fail(errc::invalid_request, "base64", "expected base64 (RFC 4648)");
  return {};
}

caf::expected<std::string> bytes_of_file(const document& x) {
  auto file = from_document<stored_file>(x, {max_stored_file_bytes, 8});
  if (!file)
    return file.error();
  if (auto err = check_stored_file(*file); err || file->path != x.key)
    return fail(errc::internal, x.collection + "/" + x.key, "expected a file of that path");
  return file->text ? std::move(*file->text) : *from_base64(*file->base64);
}

caf::error document_files::write(std::string_view path, std::string_view bytes) {
  auto row = to_file_document(path, bytes);
  return row ? store_->put(by_, {&*row, 1}) : row.error();
}

/// Writes the file and its version in one transaction.
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
