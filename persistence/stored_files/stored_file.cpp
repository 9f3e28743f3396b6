#include "scratchpage/persistence/stored_files/stored_file.hpp"

#include <utility>

#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"

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
  result.index = document_index{}; // so that it is found by its name alone
  return result;
}

caf::error check_stored_file(const stored_file& x) {
  if (auto err = check_file_path(x.path))
    return err;
  if (x.text.has_value() == x.base64.has_value())
    return fail(errc::invalid_request, "text", "expected it, or base64, and not both");
  if (x.base64 && !from_base64(*x.base64))
    return fail(errc::invalid_request, "base64", "expected base64, as RFC 4648 has it");
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

} // namespace scratchpage
