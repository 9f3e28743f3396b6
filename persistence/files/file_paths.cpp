#include "scratchpage/persistence/files/file_paths.hpp"

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/file_name.hpp"

namespace scratchpage {

caf::error file_paths::add(std::string_view path) {
  if (auto err = check_file_path(path))
    return err;
  // The path of a folder is less than those of what is in it.
  if (!known_.empty() && path <= *known_.rbegin())
    return fail(errc::invalid_request, "path", "expected paths in the order of their bytes");
  for (auto end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
    if (known_.contains(path.substr(0, end)))
      return fail(errc::invalid_request, "path",
        "expected a folder, but there is a file " + std::string{path.substr(0, end)});
  known_.emplace(path);
  return {};
}

} // namespace scratchpage
