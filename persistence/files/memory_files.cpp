#include "scratchpage/persistence/files/memory_files.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/persistence/files/file_name.hpp"

namespace scratchpage {

caf::error memory_files::write(std::string_view path, std::string_view bytes) {
  if (auto err = check_file_path(path))
    return err;
  files_.insert_or_assign(std::string{path}, std::string{bytes});
  return {};
}

caf::error memory_files::append(std::string_view path, std::string_view bytes) {
  if (auto err = check_file_path(path))
    return err;
  files_[std::string{path}].append(bytes);
  return {};
}

caf::expected<std::optional<file_content>> memory_files::read(
  std::string_view path, uint64_t offset, uint64_t most) {
  if (auto err = check_file_path(path))
    return err;
  auto i = files_.find(path);
  if (i == files_.end())
    return std::optional<file_content>{};
  const auto& all = i->second;
  auto from = std::min<uint64_t>(offset, all.size());
  return std::optional{file_content{all.substr(from, most), all.size()}};
}

} // namespace scratchpage
