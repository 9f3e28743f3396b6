#include "scratchpage/persistence/stored_files/kept_versions.hpp"

#include <utility>

#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

document to_version_document(std::string_view path, const file_version& version) {
  std::string key{path};
  auto result = to_document(collection::versions, key, kept_version{key, version});
  result.index = document_index{}; // so that it is found by its name alone
  return result;
}

caf::expected<std::optional<file_version>> find_version(
  store& in, uint64_t agent, std::string_view path) {
  std::optional<file_version> result;
  caf::error damage;
  document_range range;
  range.key = path;
  auto err = in.find_documents(agent, std::string{collection::versions}, range, [&](document&& x) {
    auto found = from_document<kept_version>(x, {});
    if (found)
      result = std::move(found->version);
    else
      damage = found.error();
    return false;
  });
  if (err || damage)
    return err ? err : damage;
  return result;
}

std::string version_problem(const file_version& found, const file_version& known) {
  if (found.checksum.empty() || found.revision > known.revision)
    return "";
  auto wanted = "revision " + std::to_string(known.revision);
  if (found.revision < known.revision)
    return "it is revision " + std::to_string(found.revision) + ", but " + wanted
           + " was acknowledged: an older copy has taken its place";
  return found.checksum == known.checksum ? ""
                                          : "it is another " + wanted + " than was acknowledged";
}

std::string missing_version(const file_version& known) {
  return "it is not there, but revision " + std::to_string(known.revision) + " was acknowledged";
}

} // namespace scratchpage
