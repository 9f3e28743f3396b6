#pragma once

#include <filesystem>

#include <caf/error.hpp>

namespace scratchpage {

/// Gives a file that is written a name that is still free, in the same directory,
/// once all of it is on the disk; the old name goes. Error: `storage_unavailable`,
/// also if there is something of that name, which stays.
caf::error publish(const std::filesystem::path& file, const std::filesystem::path& name);

} // namespace scratchpage
