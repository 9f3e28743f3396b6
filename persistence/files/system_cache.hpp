#pragma once

#include <filesystem>

namespace scratchpage {

/// From now on what is read from a file is what the disk has, as far as the system
/// heeds it. Otherwise it may be what only the system's cache has: after a sync that
/// failed, Linux takes for written what is not, no later sync writes it, and it is
/// seen until the power goes. What can be written is, first. Harmless for others who
/// have the file open; a file that is not there is no error. Throws
/// std::filesystem::filesystem_error.
void see_disk(const std::filesystem::path& file);

} // namespace scratchpage
