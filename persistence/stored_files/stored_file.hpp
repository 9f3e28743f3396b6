#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A file as a document of a store, in the collection `files`, by its path. Its
/// bytes are a text if they are UTF-8, and else in base64.
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

/// The most that such a document may have, as JSON. A larger file stays in its
/// folder, and neither travels nor is kept in a store.
inline constexpr size_t max_stored_file_bytes = 256u << 20;

/// Errors: `invalid_request` of the path, or with the field `size` if there is too
/// much of it.
caf::expected<document> to_file_document(std::string_view path, std::string_view bytes);

/// What is wrong with the members of one; nothing if they are as they should be.
/// Error: `invalid_request`, which names the field.
caf::error check_stored_file(const stored_file& x);

/// The file's bytes. Error: `internal`, which names what is damaged.
caf::expected<std::string> bytes_of_file(const document& x);

} // namespace scratchpage
