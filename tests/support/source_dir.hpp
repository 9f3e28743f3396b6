#pragma once

#include <string>

namespace scratchpage::test {

/// The full path of a source file, given its path in the project. Only one translation unit
/// contains the directory, so that a compiler cache works for all clones.
std::string source_file(const std::string& path);

} // namespace scratchpage::test
