#include "scratchpage/persistence/files/document_files.hpp"

#include <algorithm>

#include "scratchpage/messages/utf8.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

caf::error document_files::write(std::string_view path, std::string_view bytes) {
  if (auto err = check_file_path(path))
    return err;
  if (!utf8::is_valid(bytes))
    return fail(errc::invalid_request, "bytes", "expected valid UTF-8");
  stored_file file{std::string{path}, std::string{bytes}};
  auto row = to_document(collection::files, file.path, file);
  row.index = document_index{}; // so that it is found by its name alone
  return store_->put(by_, {&row, 1});
}

caf::error document_files::append(std::string_view path, std::string_view bytes) {
  if (auto err = check_file_path(path))
    return err;
  auto text = text_of(path);
  if (!text)
    return text.error();
  return write(path, text->value_or("").append(bytes));
}

caf::expected<std::optional<file_content>> document_files::read(
  std::string_view path, uint64_t offset, uint64_t most) {
  if (auto err = check_file_path(path))
    return err;
  auto text = text_of(path);
  if (!text)
    return text.error();
  if (!*text)
    return std::optional<file_content>{};
  auto from = std::min<uint64_t>(offset, (*text)->size());
  return std::optional{file_content{(*text)->substr(from, most), (*text)->size()}};
}

caf::expected<std::optional<std::string>> document_files::text_of(std::string_view path) {
  constexpr json_limits limits{256u << 20, 8};
  std::optional<std::string> result;
  caf::error damage;
  document_range range;
  range.key = path;
  auto err =
    store_->find_documents(by_.agent, std::string{collection::files}, range, [&](document&& x) {
      auto file = from_document<stored_file>(x, limits);
      if (file)
        result = std::move(file->text);
      else
        damage = file.error();
      return false;
    });
  if (err || damage)
    return err ? err : damage;
  return result;
}

} // namespace scratchpage
