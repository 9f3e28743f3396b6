#pragma once

#include <memory>
#include <string>
#include <utility>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A file as a document of a store, in the collection `files`, by its path.
struct stored_file {
  std::string path;
  std::string text;

  static constexpr auto fields(auto all) {
    return all(required("path", &stored_file::path), required("text", &stored_file::text));
  }
};

/// Files in an agent's store, for where that is a server. Texts only: what is
/// not UTF-8 is refused as `invalid_request`. What is appended writes the whole
/// file again.
class document_files : public file_store {
public:
  document_files(std::shared_ptr<store> in, ownership by)
    : store_{std::move(in)},
      by_{by} {}

  caf::error write(std::string_view path, std::string_view bytes) override;
  caf::error append(std::string_view path, std::string_view bytes) override;
  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override;

private:
  caf::expected<std::optional<std::string>> text_of(std::string_view path);

  std::shared_ptr<store> store_;
  ownership by_;
};

} // namespace scratchpage
