#pragma once

#include <functional>
#include <map>
#include <string>

#include "scratchpage/persistence/files/file_store.hpp"

namespace scratchpage {

/// Files that last as long as the process.
class memory_files : public file_store {
public:
  caf::error write(std::string_view path, std::string_view bytes) override;
  caf::error append(std::string_view path, std::string_view bytes) override;
  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override;

private:
  std::map<std::string, std::string, std::less<>> files_;
};

} // namespace scratchpage
