#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// The stored form of a file: a document in the collection `files`, by its path. It has `text` if
/// the bytes are UTF-8, and else `base64`.
struct stored_file {
  std::string path;
  std::optional<std::string> text;
  std::optional<std::string> base64;

  static constexpr auto fields(auto all) {
    using self = stored_file;
    return all(required("path", &self::path), optional("text", &self::text),
      optional("base64", &self::base64));
  }
};

/// The largest such document, as JSON. A larger file stays in its folder; it can be neither
/// exported nor stored.
inline constexpr size_t max_stored_file_bytes = 256u << 20;

/// Makes the document of a file. Errors: `invalid_request` about the path, or with the field `size`
/// if the file is too large.
caf::expected<document> to_file_document(std::string_view path, std::string_view bytes);

/// Checks the members of a stored file. Error: `invalid_request`, which names the field.
caf::error check_stored_file(const stored_file& x);

/// The bytes of a file. Error: `internal`, which names the damaged document.
caf::expected<std::string> bytes_of_file(const document& x);

/// Files in an agent's store, for stores on a server. Appending writes the whole file again.
/// Writing gives `invalid_request` on `size` if the file would be too large.
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
