#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/files.hpp"
#include "scratchpage/persistence/transfer/salvage.hpp"

namespace scratchpage {

/// Adds to `lost` which files of an agent, in its folder, are missing or older than what was
/// acknowledged. `versions`: what was kept last, by path.
void tell_lost_files(const std::filesystem::path& folder, const std::string& agent_id,
  const std::map<std::string, file_version>& versions, std::vector<loss>& lost);

} // namespace scratchpage
