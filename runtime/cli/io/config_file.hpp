#pragma once

#include <filesystem>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// The configuration of a file over the built-in one; "" is no file. An error
/// names the file, the line and the path of what is wrong.
caf::expected<config> load_config_file(const std::filesystem::path& file);

/// An error about a path in a configuration, with file and line.
caf::error in_config_file(const std::filesystem::path& file, const caf::error& err);

} // namespace scratchpage
