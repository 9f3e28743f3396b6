#pragma once

#include <set>
#include <string>
#include <string_view>

#include <caf/error.hpp>

namespace scratchpage {

/// Paths of files that are to lie in one folder.
class file_paths {
public:
  /// Takes the next, in the order of their bytes. Error: `invalid_request` with the
  /// field `path`, if no file may have it, or not beside those before: each is
  /// there once, and a file is no folder.
  caf::error add(std::string_view path);

private:
  std::set<std::string, std::less<>> known_;
};

} // namespace scratchpage
