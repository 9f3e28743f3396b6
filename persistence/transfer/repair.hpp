#pragma once

#include <filesystem>

#include <caf/expected.hpp>

#include "scratchpage/persistence/transfer/salvage.hpp"

namespace scratchpage {

/// Salvages the database of a data directory into another directory, which has
/// none, and takes the files of the agents that it knows along: all that can be saved, or nothing.
/// In the damaged one nothing is written; the other needs room for twice its size. Errors:
/// `invalid_request` on `--into` if there is a database; `storage_unavailable`, also if somebody
/// uses one of them.
caf::expected<salvage_report> repair(const std::filesystem::path& damaged,
  const std::filesystem::path& into, const progress& tell = {});

} // namespace scratchpage
