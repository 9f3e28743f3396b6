#include "scratchpage/tests/support/source_dir.hpp"

namespace scratchpage::test {

std::string source_file(const std::string& path) {
  return SCRATCHPAGE_SOURCE_DIR "/" + path;
}

} // namespace scratchpage::test
