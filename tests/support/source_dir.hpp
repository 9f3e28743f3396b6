#pragma once

#include <string>

namespace scratchpage::test {

/// A file of the sources, by its path in the project. Only one translation unit knows
/// where they are, so that a compiler's cache serves every clone.
std::string source_file(const std::string& path);

} // namespace scratchpage::test
